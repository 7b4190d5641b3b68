#!/bin/bash
# The page in headless Chromium on a profile of a million tree nodes, with pprof's page beside it.
#
#   page.sh [HEAPVIEW]      PPROF=path of pprof (else pprof or `go tool pprof` from PATH), RUNS=3, CHROMIUM=/usr/bin/chromium
#
# Needs web/node_modules (npm ci in web/) and python3 for the profiles, which are kept in BENCH_DIR.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${BENCH_DIR:-/tmp/heapview-bench}
mkdir -p "$folder"
[ -f "$folder/page.pb.gz" ] || python3 "$here/gen_profile.py" pb --stacks 75000 "$folder/page.pb.gz" > /dev/null
[ -f "$folder/rows.pb.gz" ] || python3 "$here/gen_profile.py" pb --stacks 75000 --pcs 105000 "$folder/rows.pb.gz" > /dev/null
if [ -z "${PPROF-}" ]; then
  PPROF=$(command -v pprof || true)
  [ -n "$PPROF" ] || { command -v go > /dev/null && PPROF="go tool pprof"; } || true
fi
export PPROF BENCH_DIR="$folder"
exec node "$here/page.mjs" "${1:-$here/../target/release/heapview}"
