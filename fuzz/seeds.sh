#!/usr/bin/env bash
# Makes small programs to begin with, in seeds/frames: every DWARF version, compressed, split, stripped.
#
#     fuzz/seeds.sh                # needs gcc and objcopy
#     RUSTC_BOOTSTRAP=1 cargo fuzz run -s none frames fuzz/corpus/frames fuzz/seeds/frames -- -rss_limit_mb=2048 -timeout=20
#
# What that finds goes into corpus/frames, made small by `cargo fuzz cmin`; a choice of it is kept in the repository, and
# tests/it/fuzz.rs goes through both.
set -euo pipefail

cd "$(dirname "$0")"
out=$PWD/seeds/frames
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >seed.c <<'C'
struct node { struct node *next; int value; };
static inline __attribute__((always_inline)) int leaf(struct node *n) { return n ? n->value : 0; }
static inline __attribute__((always_inline)) int walk(struct node *n) { int s = 0; for (; n; n = n->next) s += leaf(n); return s; }
__attribute__((noinline)) int total(struct node *a, struct node *b) { return walk(a) * walk(b); }
void _start(void) { struct node n = {0, 7}; total(&n, &n); for (;;) ; }
C

make() { # name, flag...
    gcc -Os -nostdlib -static -fno-asynchronous-unwind-tables -fno-stack-protector -Wl,--build-id=none -Wl,-n "${@:2}" -o "$out/$1" seed.c
}
for version in 2 3 4 5; do make "dwarf$version" -g "-gdwarf-$version"; done
make lines -g1
make pie -g -static-pie
make wide -g -gdwarf64
make zlib -g -gz=zlib
make zdebug -g -gz=zlib-gnu
make split4 -gsplit-dwarf -gdwarf-4
make split5 -gsplit-dwarf -gdwarf-5
make symbols
make id -g -Wl,--build-id=sha1
cp "$out/dwarf5" "$out/stripped"
strip "$out/stripped"
objcopy --add-gnu-debuglink="$out/dwarf5" "$out/stripped" "$out/link"
objcopy --only-keep-debug "$out/dwarf5" "$out/debug-only"
rm -f "$out"/*.dwo
ls -l "$out"
