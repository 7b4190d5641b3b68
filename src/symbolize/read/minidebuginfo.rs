//! `.gnu_debugdata` (MiniDebugInfo): the symbol table of a stripped file, as an xz-compressed ELF file inside it, with the
//! functions missing from the exported names.

use std::io::{Cursor, Read};

use xz4rust::{XzDecoder, XzReader};

use super::image::Image;

/// A longer table than that of the largest programs, bytes.
const LONGEST: u64 = 128 << 20;

/// Names pack to a tenth or so; a bomb packs better than this.
const MOST_PACKED: u64 = 100;

/// Limit on the decompressor's dictionary, bytes; `xz -9` uses as much.
const WIDEST: usize = 64 << 20;

/// The file inside of `image`; `None` when it has none, or one that is damaged.
pub(crate) fn table(image: &Image) -> Option<Image> {
    let place = image.with(|object| image.place(object, &[".gnu_debugdata"])).ok()??;
    let packed = image.content(place, 1 << 16)?.all();
    Image::in_memory(&image.path, unpacked(packed)?).ok()
}

fn unpacked(packed: Vec<u8>) -> Option<Vec<u8>> {
    let decoder = XzDecoder::in_heap_with_alloc_dict_size(1 << 16, WIDEST);
    let longest = (packed.len() as u64).saturating_mul(MOST_PACKED).min(LONGEST);
    let reader = XzReader::new_with_buffer_size_and_decoder(Cursor::new(packed), std::num::NonZero::new(1 << 13)?, decoder);
    let mut bytes = Vec::new();
    let n = reader.take(longest + 1).read_to_end(&mut bytes).ok()?;
    (n as u64 <= longest).then_some(bytes)
}
