//! Other output formats: callgrind, `-topproto`, pictures, flame graphs, viewers.

use std::path::Path;
use std::process::{Output, Stdio};

use crate::fixture::{self, path};

const DEPOT: &str = "pprof/depot.1.pb.gz";

/// Runs heapview in `testdata/` with these programs and no others on PATH.
fn heapview_with(programs: &Path, args: &[&str]) -> Output {
    fixture::program()
        .args(args)
        .current_dir(path("testdata"))
        .env("PATH", programs)
        .env("TMPDIR", programs)
        .env("PPROF_BINARY_PATH", "bin")
        .env("TZ", "UTC")
        .env_remove("BROWSER")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn heapview(args: &[&str]) -> Vec<u8> {
    let output = heapview_with(Path::new("/nowhere"), args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn text(args: &[&str]) -> String {
    String::from_utf8(heapview(args)).unwrap()
}

fn error(programs: &Path, args: &[&str]) -> String {
    let output = heapview_with(programs, args);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
    assert!(output.stdout.is_empty(), "{args:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// A file of collapsed stacks.
fn folded(folder: &Path, stacks: &str) -> String {
    let file = folder.join("stacks.folded");
    std::fs::write(&file, format!("# inuse_space bytes\n{stacks}")).unwrap();
    file.to_str().unwrap().to_owned()
}

/// Column of a CSV report without quoted fields.
fn column(csv: &str, name: &str) -> Vec<String> {
    let mut rows = csv.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let at = rows.next().unwrap().iter().position(|n| n == name).unwrap();
    rows.map(|row| row[at].clone()).collect()
}

#[test]
fn callgrind_costs_add_up_to_the_total() {
    let text = text(&["-callgrind", "-unit=B", "-focus=Sprintf", DEPOT]);
    assert!(text.starts_with("positions: instr line\nevents: inuse_space(B)\n\nob=(1) /"), "{text}");
    let (mut total, mut is_call) = (0, false);
    for line in text.lines().skip(2) {
        // The line after a call is the call's cost, not the place's own.
        let is_cost = line.starts_with(['*', '+', '-']) || line.starts_with("0x");
        if is_cost && !is_call {
            total += line.split(' ').nth(2).unwrap().parse::<i64>().unwrap();
        }
        is_call = line.starts_with("calls=");
    }
    assert_eq!(total, 640_224, "{text}");
}

#[test]
fn callgrind_counts_in_a_unit_that_keeps_small_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let stacks = folded(folder.path(), "main;big 5000000000\nmain;small 700\n");
    for unit in ["-unit=minimum", "-unit=auto"] {
        let text = text(&["-callgrind", unit, &stacks]);
        assert!(text.contains("events: inuse_space(B)\n") && text.contains(" 0 700\n"), "{text}");
    }
    assert!(text(&["-callgrind", "-unit=MB", "-divide_by=10", &stacks]).contains(" 0 476\n"));
}

#[test]
fn call_trees_keep_copies_of_a_function_separate() {
    let folder = tempfile::tempdir().unwrap();
    let stacks = folded(folder.path(), "main;a;alloc 5\nmain;b;alloc 7\n");
    assert!(!text(&["-callgrind", &stacks]).contains("/2]"));
    let tree = text(&["-callgrind", "-call_tree", &stacks]);
    assert!(tree.contains("alloc [1/2]\n") && tree.contains("alloc [2/2]\n"), "{tree}");
}

#[test]
fn a_short_profile_has_a_sample_for_each_row() {
    let folder = tempfile::tempdir().unwrap();
    let short = folder.path().join("short.pb.gz");
    let short = short.to_str().unwrap();
    heapview(&["-topproto", "-unit=B", &format!("-output={short}"), "bin/shop", "gperftools/shop.0003.heap"]);
    let table = text(&["-top", "-csv", "bin/shop", "gperftools/shop.0003.heap"]);
    for kind in ["flat", "cum"] {
        let rows = text(&["-traces", "-csv", &format!("-sample_index={kind}"), short]);
        assert_eq!(column(&rows, "value"), column(&table, kind));
    }
    assert_eq!(column(&text(&["-traces", "-csv", short]), "stack").len(), column(&table, "flat").len());
    // Unnamed functions still have a file.
    assert!(text(&["-top", "-nodefraction=0", short]).contains("[libc.so.6]"));
}

#[test]
fn profiles_are_written_by_address_without_trimming_under_any_options() {
    let whole = text(&["-raw", DEPOT]);
    assert_eq!(text(&["-raw", "-functions", "-nodecount=3", "-nodefraction=0.5", DEPOT]), whole);
    let outer = text(&["-raw", "-noinlines", DEPOT]);
    assert!(outer.contains("Locations\n     1: 0x"), "{outer}");
    assert!(!outer.contains("[IN]") && whole.lines().count() > outer.lines().count());
    assert!(outer.contains(":56:0 s=") && text(&["-raw", "-noinlines", "-showcolumns", DEPOT]).lines().count() == outer.lines().count());
}

#[test]
fn a_written_profile_is_divided() {
    let folder = tempfile::tempdir().unwrap();
    let stacks = folded(folder.path(), "main;a 500\nmain;b 60\n");
    let written = folder.path().join("written.pb.gz");
    let written = written.to_str().unwrap();
    heapview(&["-proto", "-divide_by=49", &format!("-output={written}"), &stacks]);
    assert_eq!(column(&text(&["-top", "-csv", written]), "flat"), ["10", "1", "0"]);
    assert!(text(&["-raw", "-divide_by=49", &stacks]).contains("500: "));
}

#[test]
fn the_build_id_is_given_where_the_profile_has_none() {
    assert!(text(&["-top", "-buildid=ABcd", DEPOT]).starts_with("File: depot\nBuild ID: abcd\n"));
    let folder = tempfile::tempdir().unwrap();
    let stacks = folded(folder.path(), "main 5\n");
    let output = heapview_with(folder.path(), &["-top", "-buildid=abcd", &stacks]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("-buildid=abcd is ignored: the profile does not name a binary"), "{output:?}");
}

#[test]
fn numbers_of_labels_come_raw_too() {
    let csv = text(&["-tags", "-csv", "-base=pprof/depot.0.pb.gz", DEPOT]);
    assert!(csv.starts_with("key,value,weight,base,number,unit\r\nbytes,320B,2312138,706841,320,bytes\r\n"), "{csv}");
    let json: serde_json::Value = serde_json::from_str(&text(&["-tags", "-json", "-unit=MB", DEPOT])).unwrap();
    let first = &json["tag"][0]["values"][0];
    // All sizes that print alike are one value, but not one number.
    let sum: i64 = first["numbers"].as_array().unwrap().iter().map(|n| n["value"].as_i64().unwrap()).sum();
    assert_eq!(first["value"].as_i64(), Some(sum), "{first}");
    assert!(first["numbers"].as_array().unwrap().len() > 1, "{first}");
}

#[test]
fn a_flame_graph_is_a_picture_of_its_stacks() {
    let svg = text(&["-flamegraph", "-unit=kB", "-focus=label", DEPOT]);
    assert!(svg.starts_with("<?xml") && svg.trim_end().ends_with("</svg>"), "{svg}");
    for part in ["depot inuse_space</text>", "625.22kB of 11292.42kB; focus=label</text>", "<title>all (625.22kB, 5.54%)</title>"] {
        assert!(svg.contains(part), "{part} is not in {svg}");
    }
    assert_eq!(svg, text(&["flamegraph", "-unit=kB", "-focus=label", DEPOT]), "the picture is not the same every time");
    let inverted = text(&["-flamegraph", "-inverted", "-focus=label", DEPOT]);
    let depth = |svg: &str, name: &str| -> f64 {
        let at = svg.find(&format!("<title>{name} (")).unwrap();
        svg[at..].split(" y=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    assert!(depth(&svg, "main.main") < depth(&svg, "fmt.Sprintf"));
    assert!(depth(&inverted, "main.main") > depth(&inverted, "fmt.Sprintf"));
}

#[test]
fn a_function_is_one_box_with_its_callees_below() {
    let folder = tempfile::tempdir().unwrap();
    // By name, `a::b` is between `a` itself and what `a` calls.
    let stacks = folded(folder.path(), "main;a 10\nmain;a::b;x 20\nmain;a;y 30\n");
    let svg = text(&["-flamegraph", &stacks]);
    assert!(svg.contains("<title>a (40B, 66.67%)</title>") && svg.matches("<title>").count() == 6, "{svg}");
}

#[test]
fn a_base_colours_the_flame_graph() {
    let folder = tempfile::tempdir().unwrap();
    let stacks = folded(folder.path(), "main;grew 300\nmain;shrank 100\nmain;same 100\n");
    let base = folder.path().join("base.folded");
    std::fs::write(&base, "# inuse_space bytes\nmain;grew 100\nmain;shrank 200\nmain;same 100\nmain;gone 50\n").unwrap();
    let svg = text(&["-flamegraph", &format!("-base={}", base.display()), &stacks]);
    assert!(svg.contains("500B, 450B in the base; "), "{svg}");
    let fill = |name: &str| {
        let at = svg.find(&format!("<title>{name} (")).unwrap();
        svg[at..].split("fill=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    assert!(svg.contains("<title>grew (300B, 60.00%; +40.00%)</title>"), "{svg}");
    // Callers have the colour of what they hold with their callees: 500 bytes for 450.
    let colours = [fill("grew"), fill("shrank"), fill("same"), fill("main")];
    assert_eq!(colours, ["rgb(255,100,100)", "rgb(175,175,255)", "rgb(250,250,250)", "rgb(255,212,212)"]);
}

#[test]
fn a_hostile_name_is_text_in_a_flame_graph() {
    let folder = tempfile::tempdir().unwrap();
    let stacks = folded(folder.path(), "ma]]>in;<script>alert(1)</script> 12;\"&'\u{1b}[31m;# x 90\n");
    let svg = text(&["-flamegraph", &stacks]);
    assert!(!svg.contains("<script>alert") && svg.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{svg}");
    assert!(!svg.contains('\u{1b}') && svg.contains("ma]]&gt;in"), "{svg}");
    let huge = folded(folder.path(), "main;a 9223372036854775807\nmain;b 9223372036854775807\n");
    assert!(text(&["-flamegraph", &huge]).contains("<title>main (8192PB, 100%)</title>"));
    let empty = folded(folder.path(), "main 0\n");
    assert!(error(folder.path(), &["-flamegraph", &empty]).contains("nothing to draw"));
    // A row without a stack.
    let bare = folder.path().join("bare.heap");
    std::fs::write(&bare, "heap profile: 1: 100 [1: 100] @ heapprofile\n1: 100 [1: 100] @\n").unwrap();
    assert!(error(folder.path(), &["-flamegraph", bare.to_str().unwrap()]).contains("nothing to draw"));
}

#[test]
fn graphviz_takes_every_text_of_a_graph() {
    let folder = tempfile::tempdir().unwrap();
    let [quotes, clefs, controls] = ["\"", "𝄞", "\u{1b}"].map(|c| c.repeat(30_000));
    let stacks = folded(folder.path(), &format!("{quotes};{clefs};{controls} 7\n"));
    let graph = text(&["-dot", &format!("-add_comment={}", "c".repeat(20_000)), &stacks]);
    let strings = regex::Regex::new(r#""(?:\\.|[^"\\])*""#).unwrap();
    let longest = strings.find_iter(&graph).map(|found| found.len()).max().unwrap();
    // dot's scanner holds no more.
    assert!((4000..16_384).contains(&longest), "{longest}");
    assert!(!strings.replace_all(&graph, "").contains('"'));
}

#[cfg(unix)]
mod programs {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Puts a program of this name into `folder`.
    fn put(folder: &Path, name: &str, script: &str) {
        let file = folder.join(name);
        std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Stand-in for Graphviz: prints its arguments.
    const DOT: &str =
        r#"read -r first; echo "<svg width=\"8pt\" height=\"4pt\" viewBox=\"0 0 8 4\"><!-- $* of $first -->"; /bin/cat >/dev/null"#;

    #[test]
    fn pictures_are_drawn_by_dot() {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "dot", DOT);
        for format in ["png", "jpg", "gif", "pdf", "ps"] {
            let output = heapview_with(folder.path(), &[&format!("-{format}"), DEPOT]);
            let output_text = String::from_utf8(output.stdout).unwrap();
            assert!(output_text.contains(&format!("<!-- -T{format} of digraph \"depot\" {{ -->")), "{output_text}");
        }
        let svg = String::from_utf8(heapview_with(folder.path(), &["-svg", DEPOT]).stdout).unwrap();
        assert!(svg.starts_with("<svg width=\"100%\" height=\"100%\" viewBox=\"0 0 8 4\">") && svg.contains("\"wheel\""), "{svg}");
    }

    #[test]
    fn without_dot_a_remedy_is_given() {
        let folder = tempfile::tempdir().unwrap();
        // Reported before anything is read.
        let stderr = error(folder.path(), &["-png", "nosuch.heap"]);
        for word in ["Graphviz", "apt install graphviz", "-dot", "-flamegraph", "-http=:"] {
            assert!(stderr.contains(word), "{stderr}");
        }
        assert_eq!(stderr.lines().count(), 1);
        put(folder.path(), "dot", "echo syntax error near line 1 >&2; exit 3");
        let stderr = error(folder.path(), &["-svg", DEPOT]);
        assert!(stderr.starts_with("syntax error near line 1\n") && stderr.contains("dot failed: exit status: 3"), "{stderr}");
    }

    #[test]
    fn control_characters_do_not_break_a_picture() {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "dot", "/bin/cat");
        let stacks = folded(folder.path(), "main;a\u{1b}[31mb 7\n");
        let drawn = String::from_utf8(heapview_with(folder.path(), &["-svg", &stacks]).stdout).unwrap();
        assert!(drawn.contains(r"a\\u{1b}[31mb") && !drawn.contains('\u{1b}'), "{drawn}");
    }

    /// Files of heapview that are left in `folder`.
    fn left(folder: &Path) -> Vec<std::path::PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
        entries.filter(|p| p.file_name().unwrap().to_string_lossy().starts_with("heapview.")).collect()
    }

    #[test]
    fn viewers_get_a_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "dot", DOT);
        let seen = folder.path().join("seen");
        let note = format!("/bin/ls -l \"$1\" >{0}; /bin/cat \"$1\" >>{0}", seen.display());
        for (program, head) in [("kcachegrind", "positions: instr line"), ("evince", "-Tpdf"), ("eog", "<svg width=\"8pt\"")] {
            put(folder.path(), program, &note);
            let output = heapview_with(folder.path(), &[&format!("-{program}"), DEPOT]);
            assert!(output.status.success(), "{output:?}");
            let seen = std::fs::read_to_string(&seen).unwrap();
            assert!(seen.starts_with("-rw-------") && seen.contains(head), "{program}: {seen}");
            assert!(left(folder.path()).is_empty());
        }
        assert!(error(folder.path(), &["-gv", DEPOT]).contains("gv is not installed; install it (apt install gv), or write -ps to a file"));
        put(folder.path(), "gv", "test \"$1\" = --noantialias && exit 7");
        assert!(error(folder.path(), &["-gv", DEPOT]).contains("gv failed: exit status: 7"));
    }

    #[test]
    fn a_browser_keeps_its_file() {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "dot", DOT);
        // The first one cannot start; the next one is tried.
        put(folder.path(), "chrome", "exit 1");
        let stderr = error(folder.path(), &["-web", DEPOT]);
        assert!(stderr.contains("cannot start a browser (tried chrome, ") && stderr.contains("set BROWSER"), "{stderr}");
        put(folder.path(), "firefox", "exit 0");
        let output = heapview_with(folder.path(), &["-web", DEPOT]);
        let stderr = String::from_utf8(output.stderr).unwrap();
        let file = stderr.trim().strip_prefix("Opened in the browser: ").unwrap();
        assert!(std::fs::read_to_string(file).unwrap().contains("\"wheel\""), "{stderr}");
        // With a file named nothing is started.
        let named = folder.path().join("named.svg");
        let output = heapview_with(folder.path(), &["-web", &format!("-output={}", named.display()), DEPOT]);
        assert!(output.status.success() && std::fs::read_to_string(&named).unwrap().contains("\"wheel\""), "{output:?}");
    }
}
