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
[ -f $engine ] || { echo "the engine was not built: run ./setup.sh" >&2; exit 1; }
bytes=$(gzip -9c $engine | wc -c)
echo "the engine has $bytes bytes, compressed"
# The aim is 800000.
[ "$bytes" -le 1000000 ] || { echo "it may have 1000000" >&2; exit 1; }

cases=$PWD/target/engine-cases
rm -rf "$cases"
HEAPVIEW_ENGINE_CASES=$cases cargo test --quiet --test it -- --ignored --exact engine::cases_are_written
node tests/engine/compare.mjs $engine "$cases"
node tests/engine/fuzz.mjs $engine --seconds "$seconds" testdata/gperftools testdata/jemalloc testdata/pprof fuzz/seeds fuzz/corpus "$cases/ideas"
rm -rf "$cases"
