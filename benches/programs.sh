# Read by the other scripts here: what they compare, in HEAPVIEW and PPROF, built or installed when it is missing.

install() { # package...
    echo "installing $*" >&2
    apt-get update -q >&2
    apt-get install -qy --no-install-recommends "$@" >&2
}

need() { # program, package
    command -v "$1" >/dev/null || install "$2"
}

machine() {
    echo "$(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2- | xargs), $(nproc) cores, $(date -u +%F)"
}

if [ -z "${PPROF:-}" ]; then
    PPROF=$dir/pprof
    if [ ! -x "$PPROF" ]; then
        [ -d /usr/share/gocode/src/github.com/google/pprof ] || install golang-go golang-github-google-pprof-dev
        need go golang-go
        GO111MODULE=off GOPATH=/usr/share/gocode go build -o "$PPROF" github.com/google/pprof
    fi
fi

if [ -z "${HEAPVIEW:-}" ]; then
    (cd "$here/.." && cargo build --release --quiet)
    HEAPVIEW=${CARGO_TARGET_DIR:-$here/../target}/release/heapview
fi
