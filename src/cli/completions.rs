//! Shell completions, generated from the table of flags.
//!
//! Written by hand because clap_complete only knows flags with two dashes, and pprof's have one.

use anyhow::{Result, bail};
use clap::{Arg, ArgAction};

use super::flags::{ACTIONS, USUAL, VALUE_TYPES, clap, command_words};
use super::subcommands::{ABOUT, WORDS};
use crate::query::{Kind, field};
use crate::terminal::style::When;

/// Shells that there is a script for.
pub(super) const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// Words of -symbolize.
const SYMBOLIZE: [&str; 9] =
    ["none", "fastlocal", "local", "remote", "force", "demangle=none", "demangle=templates", "demangle=full", "demangle=default"];

/// The script for `shell`.
pub(super) fn script(shell: &str) -> Result<String> {
    let flags = flags();
    Ok(match shell {
        "bash" => bash(&flags),
        "zsh" => zsh(&flags),
        "fish" => fish(&flags),
        _ => bail!("no completions for {shell:?}; supported shells: {}", SHELLS.join(", ")),
    })
}

/// Values of a flag.
enum Takes {
    Nothing,
    /// `=word` or nothing.
    Maybe(Vec<&'static str>),
    Word(Vec<&'static str>),
    File,
    /// Any text.
    Text,
}

struct Flag {
    name: String,
    doc: String,
    takes: Takes,
}

fn flags() -> Vec<Flag> {
    let all = clap();
    let flag = |arg: &Arg| Some(Flag { name: arg.get_long()?.to_owned(), doc: arg.get_help()?.to_string(), takes: takes(arg) });
    all.get_arguments().filter_map(flag).collect()
}

fn takes(arg: &Arg) -> Takes {
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return Takes::Nothing;
    }
    let name = arg.get_long().unwrap_or_default();
    let value = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
    match (field(name).map(|f| f.kind), value) {
        _ if name == "color" => Takes::Maybe(When::NAMES.to_vec()),
        (Some(Kind::Bool), _) => Takes::Maybe(vec!["true", "false"]),
        (Some(Kind::Choice(words)), _) => Takes::Word(words.to_vec()),
        (_, "file" | "profile" | "folder") => Takes::File,
        _ if name.ends_with("_path") => Takes::File,
        _ if name == "symbolize" => Takes::Word(SYMBOLIZE.to_vec()),
        _ if name == "sample_index" => Takes::Word(VALUE_TYPES[..4].to_vec()),
        _ if name == "unit" => Takes::Word(vec!["minimum", "auto", "B", "kB", "MB", "GB"]),
        _ => Takes::Text,
    }
}

/// Reports and subcommands with their documentation, the usual ones first.
fn first_words() -> Vec<(&'static str, &'static str)> {
    let all = || ACTIONS.iter().map(|flag| (flag.name, flag.doc)).chain(WORDS.iter().chain(ABOUT).map(|word| (word.name, word.doc)));
    let usual = USUAL.iter().filter_map(|name| all().find(|(other, _)| other == name));
    usual.chain(all().filter(|(name, _)| !USUAL.contains(name))).collect()
}

fn topics(flags: &[Flag]) -> String {
    let words = WORDS.iter().chain(ABOUT).map(|word| word.name);
    let mut all: Vec<&str> = command_words().chain(words).chain(flags.iter().map(|f| f.name.as_str())).collect();
    all.sort_unstable();
    all.dedup();
    all.join(" ")
}

/// In bash `=` is a word of its own, unless COMP_WORDBREAKS was changed.
fn bash(flags: &[Flag]) -> String {
    let names = flags.iter().map(|flag| match flag.takes {
        Takes::Nothing | Takes::Maybe(_) => flag.name.clone(),
        _ => format!("{}=", flag.name),
    });
    let mut cases = String::new();
    for flag in flags {
        let (Takes::Maybe(words) | Takes::Word(words)) = &flag.takes else { continue };
        cases += &format!("        {}) words='{}' ;;\n", flag.name, words.join(" "));
    }
    let of = |is: fn(&Takes) -> bool| flags.iter().filter(|f| is(&f.takes)).map(|f| f.name.as_str()).collect::<Vec<_>>().join("|");
    let with_blank = of(|takes| matches!(takes, Takes::Word(_) | Takes::File | Takes::Text));
    let files = of(|takes| matches!(takes, Takes::File));
    let commands: Vec<&str> = first_words().iter().map(|(word, _)| *word).collect();
    format!(
        "\
# bash completion for heapview; to have it in every shell:
#   heapview completions bash >~/.local/share/bash-completion/completions/heapview
_heapview() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} flag='' head='' words='' dashes i IFS=$' \\t\\n'
    if [[ $word == '=' ]]; then
        flag=$before word=''
    elif [[ $before == '=' ]]; then
        flag=${{COMP_WORDS[COMP_CWORD-2]}}
    elif [[ $word == -*=* ]]; then
        flag=${{word%%=*}} head=${{word%%=*}}= word=${{word#*=}}
    else
        case ${{before##*-}} in {with_blank}) [[ $before == -* ]] && flag=$before ;; esac
    fi
    flag=${{flag#-}} flag=${{flag#-}}
    COMPREPLY=()
    if [[ -n $flag ]]; then
        case $flag in
{cases}        {files}) compopt -o filenames 2>/dev/null; IFS=$'\\n'; COMPREPLY=($(compgen -f -- \"$word\")); return ;;
        esac
        COMPREPLY=($(compgen -P \"$head\" -W \"$words\" -- \"$word\"))
        return
    fi
    if [[ $word == -* ]]; then
        dashes=-
        [[ $word == --* ]] && dashes=--
        words='{names}'
        COMPREPLY=($(compgen -P $dashes -W \"$words\" -- \"${{word#$dashes}}\"))
        [[ ${{#COMPREPLY[@]}} == 1 && ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace 2>/dev/null
        return
    fi
    if [[ $before == help && $COMP_CWORD == 2 ]]; then
        COMPREPLY=($(compgen -W '{topics}' -- \"$word\"))
        return
    elif [[ $before == completions && $COMP_CWORD == 2 ]]; then
        COMPREPLY=($(compgen -W '{shells}' -- \"$word\"))
        return
    fi
    compopt -o filenames -o nosort 2>/dev/null
    words=''
    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${{COMP_WORDS[i]}} == -* || ${{COMP_WORDS[i]}} == '=' || ${{COMP_WORDS[i-1]}} == '=' ]] || break
    done
    if ((i == COMP_CWORD)); then
        # Of an empty word only the usual reports, then the files here.
        words='{commands}'
        [[ -z $word ]] && words='{usual}'
    fi
    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))
    IFS=$'\\n'
    COMPREPLY+=($(compgen -f -- \"$word\"))
}}
complete -F _heapview heapview
",
        names = names.collect::<Vec<_>>().join(" "),
        topics = topics(flags),
        shells = SHELLS.join(" "),
        commands = commands.join(" "),
        usual = USUAL.join(" "),
    )
}

fn zsh(flags: &[Flag]) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('\'', "'\\''").replace('[', "\\[").replace(']', "\\]").replace(':', "\\:");
    let mut specs = String::new();
    for Flag { name, doc, takes } in flags {
        let doc = quoted(doc);
        let rest = match takes {
            Takes::Nothing => format!("[{doc}]"),
            Takes::Maybe(words) => format!("=-[{doc}]::value:({})", words.join(" ")),
            Takes::Word(words) => format!("=[{doc}]:value:({})", words.join(" ")),
            Takes::File => format!("=[{doc}]:file:_files"),
            Takes::Text => format!("=[{doc}]:value: "),
        };
        specs += &format!("    \"$dash\"'{name}{rest}'\n");
    }
    let described = |(word, doc): &(&str, &str)| format!("        '{word}:{}'", quoted(doc));
    let (usual, more): (Vec<_>, Vec<_>) = first_words().into_iter().partition(|(word, _)| USUAL.contains(word));
    let [usual, more] = [usual, more].map(|words| words.iter().map(described).collect::<Vec<_>>().join("\n"));
    format!(
        "\
#compdef heapview
# zsh completion for heapview; put it as _heapview into a folder of $fpath:
#   heapview completions zsh >~/.zsh/completions/_heapview
_heapview() {{
    local dash=- context state line
    [[ $PREFIX == --* ]] && dash=--
    local -a specs=(
{specs}    )
    _arguments -C $specs '1: :->first' '*: :->rest' && return
    case $state in
    first)
        local -a usual=(
{usual}
        ) more=(
{more}
        )
        _describe -V -t reports report usual
        [[ -n $words[CURRENT] ]] && _describe -t more-reports 'more reports' more
        _files ;;
    rest)
        case $line[1] in
        help) compadd -- {topics} ;;
        completions) compadd -- {shells} ;;
        *) _files ;;
        esac ;;
    esac
}}
if [ \"$funcstack[1]\" = _heapview ]; then _heapview \"$@\"; else compdef _heapview heapview; fi
",
        topics = topics(flags),
        shells = SHELLS.join(" "),
    )
}

fn fish(flags: &[Flag]) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('\'', "\\'");
    let mut text = "\
# fish completion for heapview:
#   heapview completions fish >~/.config/fish/completions/heapview.fish
"
    .to_owned();
    for Flag { name, doc, takes } in flags {
        let values = match takes {
            Takes::Nothing => String::new(),
            Takes::Maybe(words) => format!(" -f -a '{}'", words.join(" ")),
            Takes::Word(words) => format!(" -x -a '{}'", words.join(" ")),
            Takes::File => " -r -F".into(),
            Takes::Text => " -x".into(),
        };
        // `-o` takes a name with one dash, `-l` with two.
        text += &format!("complete -c heapview -o {name} -l {name}{values} -d '{}'\n", quoted(doc));
    }
    // fish lists the last one first.
    for (word, doc) in first_words().into_iter().rev() {
        // An empty word is completed to the usual reports only; -k keeps their order.
        let when = if USUAL.contains(&word) { "__fish_use_subcommand" } else { "'__fish_use_subcommand; and test -n (commandline -ct)'" };
        text += &format!("complete -c heapview -k -n {when} -a {word} -d '{}'\n", quoted(doc));
    }
    text += &format!("complete -c heapview -n '__fish_seen_subcommand_from help' -f -a '{}'\n", topics(flags));
    text += &format!("complete -c heapview -n '__fish_seen_subcommand_from completions' -f -a '{}'\n", SHELLS.join(" "));
    text
}
