#!/usr/bin/env bash
# Builds the granary in every way there is to keep names, and takes a heap profile of each: what tests/it/matrix.rs reads.
#
#     testdata/matrix/build.sh FOLDER [way...]
#
# Each way gets a folder with `granary`, `granary.heap` and what else it needs; separate debug information lies below its
# `debug`. Needs gcc, binutils and rustc; ways whose tools are missing are named on stdout (`missing zstd: ...`).
set -euo pipefail

sources=$(cd "$(dirname "$0")" && pwd)
out=$1
shift
only=" $* "
mkdir -p "$out"
out=$(cd "$out" && pwd)

# The rest of the line runs in the way's own folder.
way() { # name, command...
    local name=$1
    shift
    [ "$only" = "  " ] || [[ $only == *" $name "* ]] || return 0
    rm -rf "${out:?}/$name"
    mkdir -p "$out/$name"
    cd "$out/$name"
    if ! "$@" >build.log 2>&1; then
        printf 'missing %s: %s\n' "$name" "$(tail -n 1 build.log)"
        rm -rf "${out:?}/$name"
        return 0
    fi
    ./granary >granary.heap
}

c() { gcc -O2 "$@" "$sources/granary.c" -o granary; }
cc() { g++ -O2 "$@" "$sources/granary.cc" -o granary; }
clang_c() { clang -O2 -Wno-unknown-attributes "$@" "$sources/granary.c" -o granary; }
clang_cc() { clang++ -O2 "$@" "$sources/granary.cc" -o granary; }
rust() { RUSTC_BOOTSTRAP=1 rustc --edition 2024 --crate-name granary -C opt-level=2 -Z unstable-options -C symbol-mangling-version="${mangling:-v0}" "$@" "$sources/granary.rs" -o granary; }

# A copy with nothing but debug information, where a debug root has it.
apart_by_build_id() {
    c -g -Wl,--build-id=sha1
    local id
    id=$(readelf -n granary | sed -n 's/.*Build ID: //p')
    mkdir -p "debug/.build-id/${id:0:2}"
    objcopy --only-keep-debug granary "debug/.build-id/${id:0:2}/${id:2}.debug"
    strip granary
}

apart_by_link() { # folder that the debug file goes to
    c -g -Wl,--build-id=none
    mkdir -p "$1"
    objcopy --only-keep-debug granary "$1/granary.debug"
    strip granary
    objcopy --add-gnu-debuglink="$1/granary.debug" granary
}

packed_sections() { # objcopy's word
    c -g -Wl,-z,noseparate-code
    objcopy --compress-debug-sections="$1" -R .comment granary
    readelf -SW granary | grep -q debug_info
}

legacy_packed_sections() {
    packed_sections zlib-gnu
    readelf -SW granary | grep -q zdebug_info
}

stripped() { # strip's flag, then gcc's
    local flag=$1
    shift
    c "$@"
    strip "$flag" granary
}

# The exported names of main and mark only; what is between has names in the packed table alone.
mini() {
    c -rdynamic -fvisibility=hidden -Wl,-z,noseparate-code
    nm -D granary --format=posix --defined-only | awk '{ print $1 }' | sort >exported
    nm granary --format=posix --defined-only | awk '$2 ~ /^[Tt]$/ { print $1 }' | sort >all
    comm -13 exported all >kept
    objcopy -S --remove-section .comment --keep-symbols=kept granary table
    xz -f table
    strip -R .comment granary
    objcopy --add-section .gnu_debugdata=table.xz granary
}

split_in_package() { # DWARF version
    c -g "-gdwarf-$1" -gsplit-dwarf
    # binutils' dwp knows nothing newer than DWARF 4.
    if [ "$1" -lt 5 ]; then dwp -e granary -o granary.dwp; else llvm-dwp -e granary -o granary.dwp; fi
    rm ./*.dwo
}

# --- C and C++ --------------------------------------------------------------------------------------------------------

for version in 2 3 4 5; do
    way c-dwarf$version c -g -gdwarf-$version
    # Nothing that this version does not have: no ranges and no places of calls in DWARF 2.
    way c-strict$version c -g -gdwarf-$version -gstrict-dwarf
    way cc-dwarf$version cc -g -gdwarf-$version
    way cc-strict$version cc -g -gdwarf-$version -gstrict-dwarf
    way clang-dwarf$version clang_c -g -gdwarf-$version
    way clang-strict$version clang_c -g -gdwarf-$version -gstrict-dwarf
    way clang-lines$version clang_c -gline-tables-only -gdwarf-$version
    way clang-cc-dwarf$version clang_cc -g -gdwarf-$version
    way clang-cc-strict$version clang_cc -g -gdwarf-$version -gstrict-dwarf
done
way clang-split clang_c -g -gdwarf-5 -gsplit-dwarf
way clang-split-lines clang_c -gline-tables-only -gdwarf-5 -gsplit-dwarf
way clang-aranges clang_c -g -gdwarf-aranges
way clang-sections clang_c -g -ffunction-sections -Wl,--gc-sections
way cc-types cc -g -fdebug-types-section
for version in 4 5; do
    way c-dwarf$version-64 c -g -gdwarf-$version -gdwarf64
    # gcc names the .dwo relative to the folder it ran in.
    way c-split$version c -g -gdwarf-$version -gsplit-dwarf
    way c-package$version split_in_package $version
done
way c-zlib packed_sections zlib-gabi
way c-zstd packed_sections zstd
way c-zdebug legacy_packed_sections
way c-fixed c -g -no-pie
way c-static c -g -static
way c-static-pie c -g -static-pie
way c-lto c -g -flto
for version in 2 3 4 5; do
    way c-strict$version-lto c -g -gdwarf-$version -gstrict-dwarf -flto
    way cc-strict$version-lto cc -g -gdwarf-$version -gstrict-dwarf -flto
done
way c-g1 c -g1
way c-strict-g1 c -g1 -gdwarf-2 -gstrict-dwarf
way c-strict-sections c -g -gdwarf-2 -gstrict-dwarf -ffunction-sections -Wl,--gc-sections
way c-sections c -g -ffunction-sections -Wl,--gc-sections
way c-gold c -g -ffunction-sections -Wl,--gc-sections -fuse-ld=gold
way c-lld c -g -ffunction-sections -Wl,--gc-sections -fuse-ld=lld
way c-types c -g -fdebug-types-section
way c-build-id apart_by_build_id
way c-link apart_by_link .
way c-link-folder apart_by_link .debug
way c-symbols stripped --strip-debug -g
way c-exported stripped --strip-all -rdynamic
way c-stripped stripped --strip-all
way c-mini mini

# --- Rust -----------------------------------------------------------------------------------------------------------

way rust-full rust -C debuginfo=2
way rust-limited rust -C debuginfo=1
way rust-lines rust -C debuginfo=line-tables-only
way rust-dwarf5 rust -C debuginfo=2 -C dwarf-version=5
for version in 4 5; do
    way rust-unpacked$version rust -C debuginfo=2 -C dwarf-version=$version -C split-debuginfo=unpacked
    way rust-packed$version rust -C debuginfo=2 -C dwarf-version=$version -C split-debuginfo=packed
done
mangling=legacy way rust-legacy rust -C debuginfo=2
mangling=legacy way rust-legacy-lines rust -C debuginfo=line-tables-only
mangling=legacy way rust-legacy-symbols rust -C strip=debuginfo
way rust-thin rust -C debuginfo=2 -C lto=thin
way rust-units rust -C debuginfo=2 -C codegen-units=16
way rust-fixed rust -C debuginfo=2 -C relocation-model=static
way rust-symbols rust -C strip=debuginfo
way rust-stripped rust -C strip=symbols
