#!/usr/bin/env bash
# Measures how fast addresses of a big Rust program become names: heapview beside pprof, jeprof and a bare loop over
# addr2line, on the same dump of wasmtime (780 MB with all its debug information).
#
#     benches/symbolize.sh                   build everything, take the dump once, measure
#     HEAPVIEW=path benches/symbolize.sh     measure that program instead of building
#
# The first run takes a while: wasmtime is built twice from crates.io, with its debug information inside and in .dwo
# files (ten minutes each on two cores, 6 GB). Installs what is missing with apt: golang-go,
# golang-github-google-pprof-dev, libjemalloc2, google-perftools, llvm. Exit status 1 if the programs' totals differ;
# being slow is no failure, a missed aim is shown.
#
#   BENCH_DIR   where all that is kept, default /tmp/heapview-bench
#   RUNS        of heapview and of the loop, the best counts, default 5
#   PPROF       a pprof to compare with instead of Debian's
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
dir=${BENCH_DIR:-/tmp/heapview-bench}
wasmtime=48.0.8
mkdir -p "$dir"
# shellcheck source=benches/programs.sh
. "$here/programs.sh"

need jeprof google-perftools
need llvm-symbolizer llvm
[ -e /usr/lib/x86_64-linux-gnu/libjemalloc.so.2 ] || install libjemalloc2
jemalloc=$(ls /usr/lib/*/libjemalloc.so.2 | head -1)

build() { # folder, split-debuginfo
    [ -x "$dir/$1/bin/wasmtime" ] && return
    echo "building wasmtime $wasmtime, $1: ten minutes or more" >&2
    CARGO_PROFILE_RELEASE_DEBUG=2 CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off \
        CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_SPLIT_DEBUGINFO=$2 \
        cargo install "wasmtime-cli@$wasmtime" --locked --quiet --root "$dir/$1" --target-dir "$dir/$1/target"
}
build packed off
build unpacked unpacked

for kind in packed unpacked; do
    [ -e "$dir/$kind.heap" ] && continue
    python3 "$here/gen_wast.py" "$dir/work.wast"
    rm -f "$dir/$kind".[0-9]*.heap
    MALLOC_CONF=prof:true,lg_prof_sample:4,prof_final:true,prof_accum:true,prof_prefix:$dir/$kind LD_PRELOAD=$jemalloc \
        "$dir/$kind/bin/wasmtime" wast -W all-proposals=y -O opt-level=2 "$dir/work.wast"
    python3 "$here/symbolize.py" convert "$dir/$kind".[0-9]*.heap "$dir/$kind.heap"
done

loop=$(cd "$here/.." && cargo bench --quiet --bench addr2line_loop --no-run --message-format=json |
    python3 -c 'import json, sys
print(*(m["executable"] for m in map(json.loads, sys.stdin) if m.get("executable") and m["target"]["name"] == "addr2line_loop"))')

machine
exec python3 "$here/symbolize.py" measure --heapview "$HEAPVIEW" --pprof "$PPROF" --loop "$loop" --runs "${RUNS:-5}" \
    --small "$here/../testdata/bin/shop" "$dir/packed" "$dir/unpacked"
