#!/usr/bin/env bash
# Installs what a checkout is built with and this machine lacks: a C compiler, make, and what builds Rust for WebAssembly,
# which rustup or Debian's packages provide. Without the latter heapview is built without the engine that report files need.
set -uo pipefail

packages=()
command -v cc >/dev/null || packages+=(gcc libc6-dev)
# jemalloc is built with it.
command -v make >/dev/null || packages+=(make)

target=wasm32-unknown-unknown
has_target() { ls "$(rustc --print target-libdir --target $target 2>/dev/null)"/libstd-*.rlib >/dev/null 2>&1; }
if ! has_target && command -v rustup >/dev/null; then
    rustup target add $target
fi
# build/engine.rs finds these beside any other Rust.
has_target || packages+=(rustc-web cargo-web rust-web-src lld-19)

missing=()
for package in "${packages[@]}"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
if ! command -v apt-get >/dev/null; then
    echo "setup.sh: no apt-get here; install by hand what corresponds to Debian's ${missing[*]}" >&2
    exit 1
fi
apt-get update -qq
# One by one: not every Debian has all of them.
for package in "${missing[@]}"; do
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" || echo "setup.sh: cannot install $package" >&2
done
