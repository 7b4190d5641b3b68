#!/usr/bin/env bash
# Measures how a series of 100 dumps opens, beside its dumps read one after another, and growth over 100 dumps of
# 100,000 stacks.
#
#     benches/series.sh                    build, generate dumps once, measure
#     HEAPVIEW=path benches/series.sh      measure that program instead of building
#
# Exit status 1 when an aim is missed.
#
#   BENCH_DIR    where dumps are kept, default /tmp/heapview-bench; delete DIR/series* after changing the generator
#   RUNS         of each, the best counts, default 3
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
dir=${BENCH_DIR:-/tmp/heapview-bench}
mkdir -p "$dir"

# Nothing is compared with pprof, which has no series.
PPROF=none
# shellcheck source=benches/programs.sh
. "$here/programs.sh"

generate() { # folder, option...
    [ -e "$dir/$1" ] && return
    rm -rf "$dir/$1.part"
    python3 "$here/gen_series.py" "$dir/$1.part" "${@:2}"
    mv "$dir/$1.part" "$dir/$1"
}
generate series
generate series-large --stacks 100000 --depth 10 --gzip

machine
exec python3 "$here/series.py" --heapview "$HEAPVIEW" --small "$dir/series" --large "$dir/series-large" --runs "${RUNS:-3}"
