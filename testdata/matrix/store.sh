#!/usr/bin/env bash
# Makes `stored`: the ways of build.sh whose tools not every machine has. Needs gcc, binutils, dwz and xz; the Mach-O files
# need clang, lld and llvm.
set -euo pipefail
cd "$(dirname "$0")"
sources=$PWD
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# The program's own dump, with nothing of this machine in it.
dump() { # way
    "$work/$1/granary" | grep -v -E '^[0-9a-f]+-[0-9a-f]+ .*(/lib|\[|0 *$)' | sed "s# $work/# /stored/#" >"stored/$1/granary.heap"
}

# Two programs, so that there is something in common.
dwz_way() { # way, DWARF version, dwz's flags
    local folder=$work/$1 name
    mkdir "$folder" "stored/$1"
    for name in granary other; do
        (
            cd "$folder"
            gcc -O2 -g -gdwarf-"$2" -Wl,--build-id=sha1,-z,noseparate-code -ffile-prefix-map="$sources=/heapview" \
                -ffile-prefix-map="$folder=/heapview" -Wl,--defsym="$name"=0 "$sources/granary.c" -o $name
            objcopy --only-keep-debug $name $name.debug
            strip -R .comment $name
        )
    done
    (
        cd "$folder"
        dwz "${@:3}" -m common.debug -r granary.debug other.debug
        objcopy --add-gnu-debuglink=granary.debug granary
    )
    cp "$folder"/{granary,granary.debug,common.debug} "stored/$1"
    dump "$1"
}

rm -rf stored
mkdir stored

# Beside the file that needs it.
dwz_way dwz4 4
# Known by its build id only.
dwz_way dwz5 5
id=$(readelf -n stored/dwz5/common.debug 2>/dev/null | sed -n 's/.*Build ID: //p')
mkdir -p "stored/dwz5/debug/.build-id/${id:0:2}"
mv stored/dwz5/common.debug "stored/dwz5/debug/.build-id/${id:0:2}/${id:2}.debug"
# DWARF 5 has its own words for what GNU invented.
dwz_way dwz-sup 5 --dwarf-5

# What build.sh makes, for machines without its tools.
built_way() { # way, way of build.sh
    mkdir "stored/$1"
    "$sources/build.sh" "$work/built" "$2"
    mv "$work/built/$2" "$work/$1"
    cp "$work/$1/granary" "stored/$1"
    dump "$1"
}

built_way mini c-mini
built_way zstd c-zstd

# --- macOS ----------------------------------------------------------------------------------------------------------

# There is no SDK here: the few declarations that the program needs.
mkdir "$work/include"
cat >"$work/include/stdio.h" <<'END'
typedef struct file FILE;
extern FILE *stdout;
int printf(const char *, ...), fputs(const char *, FILE *);
FILE *fopen(const char *, const char *);
char *fgets(char *, int, FILE *);
END

mac_object() { # architecture, object file
    local object=$PWD/$2
    (
        cd "$sources"
        clang -target "$1-apple-macos11" -c -g -O2 -w -ffreestanding -nostdlibinc -isystem "$work/include" \
            -fno-optimize-sibling-calls -ffile-prefix-map="$sources=/heapview" -ffile-prefix-map="$work=/heapview" \
            granary.c -o "$object"
    )
}

mac_link() { # architecture, inputs...
    ld64.lld -arch "$1" -platform_version macos 11 11 -oso_prefix "$PWD/" -undefined dynamic_lookup -e _main -o granary "${@:2}"
}

# The program cannot run here: a dump of the stacks that it would have walked, from where its code calls what.
mac_dump() { # architecture
    llvm-objdump --macho --arch "$1" --disassemble granary | python3 "$sources/calls.py" >granary.heap
}

mac_way() { # name, then what makes it
    mkdir "stored/$1"
    (cd "stored/$1" && "${@:2}")
}

in_bundle() {
    mac_object x86_64 granary.o
    mac_link x86_64 granary.o
    dsymutil granary
    mac_dump x86_64
    rm granary.o
}

in_objects() {
    mac_object x86_64 granary.o
    mac_link x86_64 granary.o
    mac_dump x86_64
}

in_archive() {
    mac_object x86_64 granary.o
    llvm-ar --format=darwin rc libgranary.a granary.o
    mac_link x86_64 -all_load libgranary.a
    mac_dump x86_64
    rm granary.o
}

# Both architectures in one file, and in one bundle.
universal() {
    local arch
    for arch in x86_64 arm64; do
        mac_object $arch granary.o
        mac_link $arch granary.o
        dsymutil granary
        mac_dump $arch
        mv granary $arch
        mv granary.heap $arch.heap
        mv granary.dSYM/Contents/Resources/DWARF/granary $arch.debug
    done
    llvm-lipo -create x86_64 arm64 -segalign x86_64 10 -segalign arm64 10 -output granary
    llvm-lipo -create x86_64.debug arm64.debug -segalign x86_64 10 -segalign arm64 10 -output granary.dSYM/Contents/Resources/DWARF/granary
    rm granary.o x86_64 arm64 ./*.debug
}

export PATH=$PATH:/usr/lib/llvm-14/bin
mac_way mac-bundle in_bundle
mac_way mac-objects in_objects
mac_way mac-archive in_archive
mac_way mac-universal universal

! grep -rlF -e "$work" -e "${HOME:-/root}/" -e "$sources" stored || { echo "the files above name this machine" >&2; exit 1; }
du -sb stored
