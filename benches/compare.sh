#!/usr/bin/env bash
# Measures heapview beside google/pprof on the same big profiles: wall time, peak memory, and whether totals agree.
#
#     benches/compare.sh                   build both, generate profiles once, measure
#     HEAPVIEW=path benches/compare.sh     measure that program instead of building
#
# Installs golang-go and golang-github-google-pprof-dev with apt if they are missing. Exit status 1 if totals differ;
# being slow is no failure.
#
#   BENCH_DIR    where profiles and pprof are kept, default /tmp/heapview-bench
#   RUNS         of heapview, best counts, default 3
#   PPROF_RUNS   of pprof, default 1
#   PPROF        a pprof to compare with instead of Debian's
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
dir=${BENCH_DIR:-/tmp/heapview-bench}
mkdir -p "$dir"

# shellcheck source=benches/programs.sh
. "$here/programs.sh"

generate() { # file, format, option...
    [ -e "$dir/$1.json" ] || python3 "$here/gen_profile.py" "$2" "$dir/$1" "${@:3}" >"$dir/$1.json.part"
    [ -e "$dir/$1.json" ] || mv "$dir/$1.json.part" "$dir/$1.json"
}
generate text.heap gperftools
generate same.pb.gz pb
generate million.pb.gz pb --stacks 1000000

machine
exec python3 "$here/measure.py" --pprof "$PPROF" --heapview "$HEAPVIEW" \
    --runs "${RUNS:-3}" --pprof-runs "${PPROF_RUNS:-1}" \
    "text 127 MB=$dir/text.heap" "same, pb.gz=$dir/same.pb.gz" "million pb.gz=$dir/million.pb.gz"
