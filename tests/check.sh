#!/usr/bin/env bash
# Every check there is: formats, lints, tests, the page in a real browser, the package.
# Installs what it needs (Chromium, cargo-deny) where it is missing; run it from anywhere.
set -euo pipefail
cd "$(dirname "$0")/.."

# Debug builds have no engine otherwise. Set for all of them: a change of it compiles heapview again.
export HEAPVIEW_ENGINE=build
# Every crate is compiled once here: what the compiler keeps for the next change would only fill the disk.
export CARGO_INCREMENTAL=0

step() { printf '\n== %s\n' "$*"; }

step "Tools"
./setup.sh
# The browser draws the page.
need=()
command -v chromium >/dev/null || need+=(chromium fonts-dejavu-core)
if [ ${#need[@]} -gt 0 ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${need[@]}" >/dev/null
fi
tools=target/check-tools
[ -x $tools/bin/cargo-deny ] || cargo install --quiet cargo-deny --version '^0.20' --locked --no-default-features --root $tools
(cd web && [ -d node_modules ] || npm ci --no-audit --no-fund)

step "Rust: format, lints"
cargo fmt --all --check
cargo clippy --all-targets --quiet -- -D warnings
# The core alone: without what touches the machine, and without the libraries for it.
cargo clippy --lib --no-default-features --quiet -- -D warnings
cargo clippy --lib --no-default-features --features symbolize --quiet -- -D warnings
cargo clippy --package heapview-engine --package heapview-report-engine --all-targets --quiet -- -D warnings
# The same for a browser, which has no threads and numbers of 32 bits.
if [ -d "$(rustc --print target-libdir --target wasm32-unknown-unknown)" ]; then
    cargo check --lib --no-default-features --quiet --target wasm32-unknown-unknown
    cargo check --lib --no-default-features --features symbolize --quiet --target wasm32-unknown-unknown
else
    echo "skipped: no target wasm32-unknown-unknown (rustup target add wasm32-unknown-unknown)"
fi

step "Folders: no cycle of imports"
python3 tests/folders.py --cycles

step "Rust: tests"
cargo test --quiet

# tests/it/fuzz.rs has gone through all seeds; with coverage it takes a build of its own.
if [ -n "${HEAPVIEW_FUZZ:-}" ]; then
    step "Rust: each fuzz target for a few seconds"
    fuzz/run.sh --seconds 5
fi

step "Dependencies: licences, sources, advisories"
$tools/bin/cargo-deny check --hide-inclusion-graph bans licenses sources
# The advisory database is fetched by itself: it may be out of reach, but what it says counts.
advisories=target/advisories.txt
if timeout 60 $tools/bin/cargo-deny fetch db >$advisories 2>&1; then
    $tools/bin/cargo-deny check --disable-fetch --hide-inclusion-graph advisories
else
    echo "advisories skipped: advisory database out of reach ($(tail -n 1 $advisories | cut -c1-120))"
fi

step "Page: types, lints, unit tests"
(
    cd web
    cp src/api/schema.gen.ts ../target/schema.gen.ts
    npm run --silent schema >/dev/null
    cmp src/api/schema.gen.ts ../target/schema.gen.ts || { echo "schema.gen.ts is not of openapi.json: commit what npm run schema makes" >&2; exit 1; }
    npm run --silent typecheck
    npm run --silent lint
    npm run --silent test
)

step "Engine: the answers of the core built for this machine, mutated files"
tests/engine/run.sh --seconds 20

step "Bounds of memory and processor time on hostile profiles"
cargo build --quiet
# Not optimized: some twenty times slower. The whole is for release builds (tests/bounds/run.py without --quick).
python3 tests/bounds/run.py --quick --slower 20 target/debug/heapview

step "Team server: killed while dumps come in; store away, disk full, clocks that differ"
python3 tests/store/kill.py target/debug/heapview --seconds 20 --every 3
python3 tests/store/troubles.py target/debug/heapview
cargo clippy --all-targets --features cloud-store --quiet -- -D warnings
# A bucket takes a build of its own, some minutes.
if [ -n "${HEAPVIEW_CLOUD:-}" ]; then
    cargo build --quiet --features cloud-store --target-dir target/cloud
    python3 tests/store/s3.py target/cloud/debug/heapview
fi

step "Page: journeys in Chromium"
python3 tests/journeys.py target/debug/heapview

step "Package: carries the built page and the engine"
files=$(cargo package --list --allow-dirty)
for file in web/static/assets/app.js web/static/assets/app.css web/static/report/report.js web/static/site/site.js web/static/engine/heapview.wasm.zst web/templates/index.html web/templates/report.html web/templates/site.html proto/profile.proto SECURITY.md LICENSE-MIT LICENSE-APACHE; do
    grep -qx "$file" <<<"$files" || { echo "the package lacks $file" >&2; exit 1; }
done
grep -qx 'web/static/assets/layout-.*\.js\.zst' <<<"$files" || { echo "the package lacks the layout engine" >&2; exit 1; }
! grep -E '^(web/src|web/node_modules|engine|testdata|tests)/' <<<"$files" || { echo "the package carries what it should not" >&2; exit 1; }
CARGO_PROFILE_DEV_DEBUG=false cargo publish --dry-run --allow-dirty --quiet

step "All checks passed"
