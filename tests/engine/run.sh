#!/usr/bin/env bash
# The engine beside the same code built for this machine, and under mutated files: thousands of answers must be the same bytes,
# and none a trap.
#
#     tests/engine/run.sh [--seconds N]     # N: how long files are mutated, by default 10
set -euo pipefail
cd "$(dirname "$0")/../.."
export HEAPVIEW_ENGINE=build
seconds=10
[ "${1:-}" = --seconds ] && seconds=$2

engine=target/engine/heapview.wasm
cargo build --quiet
check() { # file, most bytes
    [ -f "$1" ] || { echo "the engine was not built: run ./setup.sh" >&2; exit 1; }
    local bytes
    bytes=$(gzip -9c "$1" | wc -c)
    echo "$1 has $bytes bytes, compressed"
    [ "$bytes" -le "$2" ] || { echo "it may have $2" >&2; exit 1; }
}
# That of report files; the aim is 800000.
check target/engine/report.wasm 1100000
check $engine 1650000

cases=$PWD/target/engine-cases
rm -rf "$cases"
HEAPVIEW_ENGINE_CASES=$cases cargo test --quiet --test it -- --ignored --exact engine::cases_are_written
node tests/engine/compare.mjs $engine "$cases"
matrix=target/tmp/matrix
stored=testdata/matrix/stored
node tests/engine/fuzz-attached.mjs $engine --seconds "$seconds" testdata/gperftools/shop.0003.heap=testdata/bin \
    $stored/{dwz-sup,dwz4,dwz5,mac-bundle,mini,zstd} $matrix/{c-link,c-package5,c-split4,c-split5,rust-packed5,rust-unpacked4}
tests/engine/large/run.sh $engine target/debug/heapview
node tests/engine/fuzz.mjs $engine --seconds "$seconds" testdata/gperftools testdata/jemalloc testdata/pprof fuzz/seeds fuzz/corpus "$cases/ideas"
rm -rf "$cases"
