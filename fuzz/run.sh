#!/usr/bin/env bash
# Fuzzes every target, or those named, for so many minutes each: for a night.
#
#     fuzz/run.sh MINUTES [TARGET...]
#     fuzz/run.sh --seconds N [TARGET...]     # as tests/check.sh does
#
# Seeds are small files of testdata, fuzz/seeds, hostile inputs of fuzz/hostile_seeds.py, and what earlier runs found worth keeping
# (fuzz/corpus is in the repository; the rest is in target/fuzz). Installs cargo-fuzz where it is missing; where it cannot be
# had, tests/it/fuzz.rs replays seeds and finds without coverage. Ends with 1 when a target crashed, ran out of memory
# or of time: the input is then in fuzz/artifacts/TARGET, made small. A fixed one goes to fuzz/corpus/TARGET.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    sed -n '2,5s/^# \{0,1\}//p' fuzz/run.sh >&2
    exit 2
}
[ $# -ge 1 ] || usage
if [ "$1" = --seconds ]; then
    [ $# -ge 2 ] || usage
    seconds=$2
    shift 2
else
    [[ $1 =~ ^[0-9]+$ ]] || usage
    seconds=$(($1 * 60))
    shift
fi
known=()
for file in fuzz/fuzz_targets/*.rs; do known+=("$(basename "$file" .rs)"); done
targets=("${@:-${known[@]}}")

tools=$PWD/target/check-tools
export PATH=$PATH:$tools/bin
if ! command -v cargo-fuzz >/dev/null && ! cargo install --quiet cargo-fuzz --version '^0.13' --locked --root "$tools"; then
    echo "cargo-fuzz is not here: replaying seeds and finds instead"
    exec cargo test --quiet --test it -- fuzz::
fi
# Coverage needs unstable flags of the compiler; our code has no unsafe, so that no sanitizer is needed.
export RUSTC_BOOTSTRAP=1
cargo fuzz build -s none

work=$PWD/target/fuzz
mkdir -p "$work/hostile"
python3 fuzz/hostile_seeds.py "$work/hostile"
touch "$work/started"
failed=()
for target in "${targets[@]}"; do
    new=$work/corpus/$target
    seeds=$work/seeds/$target
    mkdir -p "$new" "$seeds" "fuzz/artifacts/$target"
    case $target in
    # Dumps are large in places; a mutation of more than this is slow and finds little.
    parse) find testdata -type f -size -33k ! -path '*/bin/*' ! -path '*/stored/*' ! -name '*.txt' ! -name '*.rs' -print0 | while IFS= read -r -d '' file; do
        cp "$file" "$seeds/$(echo "$file" | tr / _)"
    done ;;
    esac
    folders=("$new" "$seeds")
    for folder in "$work/hostile/$target" "fuzz/seeds/$target" "fuzz/corpus/$target"; do
        if [ -d "$folder" ]; then folders+=("$folder"); fi
    done
    log=$work/$target.log
    if cargo fuzz run -s none "$target" "${folders[@]}" -- -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
        -max_len=65536 -print_final_stats=1 >"$log" 2>&1; then
        state=ok
    else
        state=FAILED
        failed+=("$target")
        find "fuzz/artifacts/$target" -type f -newer "$work/started" -name 'crash-*' ! -name '*.small' -print0 | while IFS= read -r -d '' file; do
            cargo fuzz tmin -s none -r 2000 "$target" "$file" >>"$log" 2>&1 || true
        done
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
    printf '%-10s %-6s %12s executions in %s s, log: %s\n' "$target" "$state" "${runs:-?}" "$seconds" "${log#"$PWD"/}"
    # What finds nothing new is dropped after long runs.
    if [ "$state" = ok ] && [ "$seconds" -ge 600 ]; then
        cargo fuzz cmin -s none "$target" "$new" >>"$log" 2>&1 || true
    fi
done
if [ ${#failed[@]} -gt 0 ]; then
    for target in "${failed[@]}"; do
        echo "== $target" >&2
        grep -E 'panicked at|SUMMARY|ALARM|out-of-memory|Test unit written' -A 1 "$work/$target.log" | head -n 12 >&2 || true
    done
    exit 1
fi
