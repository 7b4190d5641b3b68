#!/usr/bin/env bash
# Measures a release build from nothing: wall time, processor time and the size of the program.
#
#     benches/build.sh              this commit
#     benches/build.sh OLD NEW      two commits, one after the other
#
# Each commit is checked out into a directory of its own with an empty target directory. Packages are fetched and the page
# is built before the clock starts: they depend on the network. Needs some gigabytes in BENCH_DIR, default
# /tmp/heapview-bench; removes them again.
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
dir=${BENCH_DIR:-/tmp/heapview-bench}/build
mkdir -p "$dir"
[ $# -gt 0 ] || set -- HEAD

printf '%-12s %8s %8s %10s\n' commit 'wall s' 'cpu s' 'size MB'
for revision in "$@"; do
    commit=$(git -C "$here" rev-parse --short "$revision^{commit}")
    tree=$dir/$commit
    git -C "$here" worktree add -q --detach --force "$tree" "$commit"
    trap 'git -C "$here" worktree remove --force "$tree"' EXIT
    (
        cd "$tree"
        cargo fetch --locked --quiet
        (cd web && npm ci --silent --no-audit --no-fund && npm run --silent build) >/dev/null 2>&1
        TIMEFORMAT='%R %U %S'
        times=$({ time HEAPVIEW_WEB=keep cargo build --release --locked --quiet --target-dir "$tree/target" >&2; } 2>&1 | tail -1)
        size=$(stat -c %s target/release/heapview)
        awk -v commit="$commit" -v size="$size" '{ printf "%-12s %8.0f %8.0f %10.1f\n", commit, $1, $2 + $3, size / 1e6 }' <<<"$times"
    )
    git -C "$here" worktree remove --force "$tree"
    trap - EXIT
done
