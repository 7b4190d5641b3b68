//! Debug information in object files: macOS's linker leaves it there and records the object file of each function (`N_OSO` and
//! `N_FUN` in the symbol table).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use object::macho;
use object::read::macho::{MachHeader, Nlist};

use super::dwarf::{Chain, Debug, Sections, SplitFiles};
use super::find::note::NoteKind;
use super::find::recorded_paths;
use super::options::Options;
use super::read::image::Image;
use super::read::paged::Part;
use super::read::symtab::{MachO, Symbols, macho_strings, without_underscore};
use crate::base::hash::HashMap;

/// Object file of each function of a program.
#[derive(Debug)]
pub(super) struct Objects {
    program: PathBuf,
    /// By start; they do not overlap in an honest file.
    functions: Vec<Function>,
    /// Names of the files, as offsets in `strings`.
    files: Vec<u32>,
    /// Names, each ended by a zero byte.
    strings: Part<'static>,
}

#[derive(Clone, Copy, Debug)]
struct Function {
    /// Addresses in the program.
    start: u64,
    end: u64,
    /// Offset in `strings`.
    name: u32,
    /// Index into `files`.
    file: u32,
}

/// Archives that were opened: path → the members, by name.
type Archives = HashMap<PathBuf, HashMap<Vec<u8>, (u64, u64)>>;

impl Objects {
    /// Reads the table of `image`; `None` when it names no object files.
    pub(super) fn read(image: &Image) -> Option<Self> {
        let objects = image.with(|object| match object {
            object::File::MachO32(file) => Some(read(image, file)),
            object::File::MachO64(file) => Some(read(image, file)),
            _ => None,
        });
        objects.ok().flatten().filter(|objects| !objects.functions.is_empty())
    }

    /// Frames at `addresses` (sorted), and a note if files are missing.
    pub(super) fn chains(&self, addresses: &[u64], options: &Options) -> (Vec<Chain>, Option<NoteKind>) {
        let mut chains = vec![Chain::new(); addresses.len()];
        let mut wanted: BTreeMap<u32, Vec<(usize, Function)>> = BTreeMap::new();
        for (i, &address) in addresses.iter().enumerate() {
            let after = self.functions.partition_point(|f| f.start <= address);
            let function = after.checked_sub(1).and_then(|i| self.functions.get(i)).filter(|f| address < f.end);
            if let Some(&function) = function {
                wanted.entry(function.file).or_default().push((i, function));
            }
        }
        let n_objects = wanted.len();
        let mut missing: Vec<String> = Vec::new();
        let mut archives = Archives::default();
        for (file, wanted) in wanted {
            let name = self.files.get(file as usize).map_or(Vec::new(), |&at| self.text(at));
            let name = String::from_utf8_lossy(&name);
            match self.open(&name, options, &mut archives) {
                Some(object) => self.look_up(&object, &wanted, addresses, &mut chains),
                None => missing.push(name.into_owned()),
            }
        }
        let (n_missing, path) = (missing.len(), self.program.clone());
        let note = missing.into_iter().next().map(|first| NoteKind::MissingObjects { path, n_missing, n_objects, first });
        (chains, note)
    }

    /// Finds the frames of the `wanted` addresses, which all come from `object`.
    fn look_up(&self, object: &Image, wanted: &[(usize, Function)], addresses: &[u64], chains: &mut [Chain]) {
        let (Ok(sections), Ok(symbols)) = (Sections::read(object), Symbols::read(object)) else { return };
        if !sections.has_info() {
            return;
        }
        // Addresses of functions in the object file; the linker moved them.
        let mut starts: HashMap<Vec<u8>, Option<u64>> = wanted.iter().map(|(_, f)| (self.text(f.name), None)).collect();
        for entry in symbols.entries() {
            if let Some(start) = starts.get_mut(entry.name) {
                start.get_or_insert(entry.address);
            }
        }
        let there = |&(i, function): &(usize, Function)| {
            let start = starts.get(&self.text(function.name)).copied().flatten()?;
            Some((start.checked_add(addresses[i] - function.start)?, i))
        };
        let moved: Vec<(u64, usize)> = wanted.iter().filter_map(there).collect();
        let mut inside: Vec<u64> = moved.iter().map(|&(address, _)| address).collect();
        inside.sort_unstable();
        inside.dedup();
        let found = Debug::new(&sections).chains(&inside, &SplitFiles::default(), &());
        for (address, i) in moved {
            if let Ok(at) = inside.binary_search(&address) {
                chains[i].clone_from(&found[at]);
            }
        }
    }

    /// Opens an object file: `folder/file.o`, or `folder/archive.a(file.o)`.
    fn open(&self, name: &str, options: &Options, archives: &mut Archives) -> Option<Image> {
        let (path, member) = match name.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')) {
            Some((archive, member)) => (Path::new(archive), Some(member)),
            None => (Path::new(name), None),
        };
        if options.ignores_paths {
            return None;
        }
        let folder = self.program.parent().unwrap_or(Path::new(""));
        let mut places = vec![folder.join(path)];
        for folder in options.search.iter().map(PathBuf::as_path).chain([folder]) {
            places.push(folder.join(recorded_paths::without_root(path)));
            places.extend(path.file_name().map(|base| folder.join(base)));
        }
        places.into_iter().find_map(|place| {
            let Some(member) = member else { return Image::open(&place).ok() };
            let members = archives.entry(place.clone()).or_insert_with(|| {
                let members = Image::whole(&place).map(|archive| archive.members()).unwrap_or_default();
                members.into_iter().map(|(name, offset, size)| (name, (offset, size))).collect()
            });
            let &(offset, size) = members.get(member.as_bytes())?;
            Image::open_part(&place, offset, size).ok()
        })
    }

    fn text(&self, at: u32) -> Vec<u8> {
        self.strings.text(at as usize).unwrap_or_default()
    }
}

fn read<M: MachHeader>(image: &Image, file: &MachO<'_, M>) -> Objects {
    let strings = macho_strings(image, file);
    let mut objects = Objects { program: image.path.clone(), functions: Vec::new(), files: Vec::new(), strings };
    let endian = file.endian();
    // Whether an object file is open, and the function whose size comes next.
    let (mut is_open, mut begun) = (false, None);
    for symbol in file.macho_symbol_table().iter() {
        let Some(stab) = symbol.n_type().stab() else { continue };
        let (name, value): (u32, u64) = (symbol.n_strx(endian), symbol.n_value(endian).into());
        let is_named = objects.strings.from(name as usize).first().is_some_and(|&b| b != 0);
        match stab {
            macho::N_SO => is_open = false,
            macho::N_OSO if is_named => {
                objects.files.push(name);
                is_open = true;
            }
            macho::N_FUN if is_named => begun = Some((without_underscore(&objects.strings, name), value)),
            macho::N_FUN => {
                if let (Some((name, start)), true) = (begun.take(), is_open) {
                    let file = (objects.files.len() - 1) as u32;
                    objects.functions.push(Function { start, end: start.saturating_add(value), name, file });
                }
            }
            _ => {}
        }
    }
    objects.functions.sort_by_key(|f| f.start);
    objects
}
