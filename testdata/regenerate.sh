#!/usr/bin/env bash
# Makes everything in testdata/ that is not written by hand: binaries, dumps, goldens.
#
#     testdata/regenerate.sh           build the programs, run them, then make the goldens
#     testdata/regenerate.sh oracle    only the goldens, from the dumps and binaries that are here
#     testdata/regenerate.sh tides     only the program tides and its series
#     testdata/regenerate.sh mill      only the program mill and its dump
#     testdata/regenerate.sh ferry     only the program ferry and its recordings
#     testdata/regenerate.sh weir      only the programs weir and sluice and their recordings; fetches the crate dhat
#     testdata/regenerate.sh quarry    only the program quarry and massif's output for it
#
# PPROF names a pprof program to make the goldens with. The committed ones come from a current one (July 2026), since
# Debian's, which is built when PPROF is not set, cannot demangle Rust.
#
# It installs nothing. It works in /tmp/heapview-testdata, because dumps contain the paths of what was mapped: that
# folder must be the same everywhere, and must say nothing about the machine.
set -euo pipefail

repo=$(cd "$(dirname "$0")/.." && pwd)
cd "$repo/testdata"
run=/tmp/heapview-testdata
mode=${1:-all}
libs=/usr/lib/x86_64-linux-gnu
export LC_ALL=C TZ=UTC

need() { # command-or-file, Debian package
    command -v "$1" >/dev/null || [ -e "$1" ] || { echo "missing: $1 (apt install $2)" >&2; missing=1; }
}
missing=
need addr2line binutils
if [ "$mode" = all ] || [ "$mode" = ferry ]; then
    need heaptrack heaptrack
fi
if [ "$mode" = all ] || [ "$mode" = weir ]; then
    need valgrind valgrind
    need cargo "cargo, or from rustup.rs"
fi
if [ "$mode" = all ] || [ "$mode" = quarry ]; then
    need valgrind valgrind
fi
if [ "$mode" = all ] || [ "$mode" = oracle ]; then
    need go golang-go
    need /usr/share/gocode/src/github.com/google/pprof golang-github-google-pprof-dev
    need jeprof libjemalloc-dev
    need llvm-symbolizer llvm
fi
need $libs/libtcmalloc.so.4 libgoogle-perftools4
need $libs/libjemalloc.so.2 libjemalloc2
if [ "$mode" != oracle ]; then
    need g++ g++
    need setarch util-linux
fi
if [ "$mode" = all ]; then
    need rustc "rustc, or from rustup.rs"
    need /usr/include/gperftools/malloc_extension.h libgoogle-perftools-dev
fi
[ -z "$missing" ] || exit 1

# --- Programs -------------------------------------------------------------------------------------------------------

# Debug sections are packed here because objcopy packs better than the linkers do. FILE symbols go: where there is no
# line information llvm-symbolizer would give the name of a codegen unit as the source file.
pack() {
    readelf -sW "$1" | awk '$4 == "FILE" { print $8 }' >$run/build/file-symbols
    objcopy --decompress-debug-sections --strip-symbols=$run/build/file-symbols "$1" "$1.unpacked"
    ! strings -a "$1.unpacked" | grep -F -e "$repo" -e "${HOME:-/root}/" || { echo "$1 names this machine" >&2; exit 1; }
    objcopy --compress-debug-sections=zlib "$1.unpacked" "$1"
    rm "$1.unpacked"
}

# The standard library's debug info would be two thirds of the binary; only that of `alloc` is kept. Frames that lie
# in `std` itself have a name but no line, as in many a real binary. RUSTC_BOOTSTRAP because rustc calls the old mangling unstable, though most binaries in the field have it.
build_rust() {
    local from to target=lib/rustlib/x86_64-unknown-linux-gnu/lib variant
    from=$(rustc --print sysroot)/$target to=$run/build/sysroot/$target
    mkdir -p "$to"
    cp "$from"/*.rlib "$from"/*.rmeta "$to"
    for archive in "$to"/*.rlib; do
        case $archive in */liballoc-*) ;; *) objcopy --strip-debug "$archive" ;; esac
    done
    for variant in legacy v0; do
        local out=$run/bin/shop
        [ $variant = legacy ] || out=$run/bin/shop-v0
        RUSTC_BOOTSTRAP=1 rustc --sysroot "$run/build/sysroot" --edition 2021 --crate-name shop -Z unstable-options \
            -C symbol-mangling-version=$variant -C opt-level=1 -C debuginfo=1 -C codegen-units=1 -C panic=abort \
            -C force-frame-pointers=yes -C force-unwind-tables=yes --remap-path-prefix="$repo=/heapview" \
            -C link-arg=-Wl,--build-id=sha1,--dynamic-linker=$run/lib/ld-linux-x86-64.so.2 \
            programs/rust/main.rs -o "$out"
        pack "$out"
    done
}

build_cpp() {
    local flags=(-std=c++17 -O1 -g1 -gno-record-gcc-switches -fno-omit-frame-pointer -fPIC -Wall -Wextra
        "-ffile-prefix-map=$repo=/heapview" -Wl,--build-id=sha1)
    (
        cd "$repo/testdata/programs/cpp"
        g++ "${flags[@]}" -shared -Wl,-soname,libpantry.so pantry.cpp -o $run/bin/libpantry.so
        g++ "${flags[@]}" -pie -Wl,--dynamic-linker=$run/lib/ld-linux-x86-64.so.2 kitchen.cpp -o $run/bin/kitchen \
            -L$run/bin -lpantry
    )
    pack $run/bin/libpantry.so
    pack $run/bin/kitchen
}

build_tides() {
    (
        cd "$repo/testdata/programs/cpp"
        g++ -std=c++17 -O1 -g1 -gno-record-gcc-switches -fno-omit-frame-pointer -Wall -Wextra \
            "-ffile-prefix-map=$repo=/heapview" -Wl,--build-id=sha1 -fPIE -pie \
            -Wl,--dynamic-linker=$run/lib/ld-linux-x86-64.so.2 tides.cpp -o $run/bin/tides
    )
    pack $run/bin/tides
}

build_mill() {
    (
        cd "$repo/testdata/programs/c"
        gcc -std=c11 -O1 -g1 -gno-record-gcc-switches -fno-omit-frame-pointer -Wall -Wextra \
            "-ffile-prefix-map=$repo=/heapview" -Wl,--build-id=sha1 -fPIE -pie \
            -Wl,--dynamic-linker=$run/lib/ld-linux-x86-64.so.2 mill.c -o $run/bin/mill
    )
    pack $run/bin/mill
}

build_ferry() {
    (
        cd "$repo/testdata/programs/c"
        gcc -std=gnu11 -O1 -g1 -gno-record-gcc-switches -fno-omit-frame-pointer -Wall -Wextra -pthread \
            "-ffile-prefix-map=$repo=/heapview" -Wl,--build-id=sha1 -fPIE -pie ferry.c -o $run/bin/ferry
    )
    pack $run/bin/ferry
}

build_weir() {
    (
        cd "$repo/testdata/programs/c"
        gcc -std=gnu11 -O1 -g1 -gno-record-gcc-switches -fno-omit-frame-pointer -Wall -Wextra \
            "-ffile-prefix-map=$repo=/heapview" -fPIE -pie weir.c -o $run/bin/weir
    )
}

# The crate dhat is no dependency of heapview: it is fetched and built here.
build_sluice() {
    mkdir -p $run/build/sluice/src
    cp programs/rust/sluice.rs $run/build/sluice/src/main.rs
    printf '[package]\nname = "sluice"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\ndhat = "=0.3.3"\n[profile.release]\ndebug = 1\nopt-level = 1\n' \
        >$run/build/sluice/Cargo.toml
    (cd $run/build/sluice && RUSTFLAGS="--remap-path-prefix=${HOME:-/root}=/home" cargo build --release --quiet --target-dir $run/build/target)
    cp $run/build/target/release/sluice $run/bin/
}

build_quarry() {
    (
        cd "$repo/testdata/programs/cpp"
        g++ -std=c++17 -O1 -g1 -gno-record-gcc-switches -fno-omit-frame-pointer -Wall -Wextra \
            "-ffile-prefix-map=$repo=/heapview" -Wl,--build-id=sha1 -fPIE -pie quarry.cpp -o $run/bin/quarry
    )
}

build_go() {
    (cd programs/go && GO111MODULE=off CGO_ENABLED=0 go build -trimpath -o $run/bin/depot depot.go)
}

# The programs run with copies of the system's libraries, at a path where no other machine has any: nobody's libc can
# give names to these dumps, so goldens do not depend on it.
copy_libraries() {
    mkdir -p $run/lib
    for each in $libs/libtcmalloc.so.4 $libs/libjemalloc.so.2 /bin/true; do
        ldd "$each" | awk '$2 == "=>" { print $3 } $1 ~ /^\// { print $1 }'
        [ "$each" = /bin/true ] || echo "$each"
    done | sort -u | while read -r library; do cp -L "$library" $run/lib/; done
}

# --- Dumps ----------------------------------------------------------------------------------------------------------

# Fixed addresses where that is allowed, so that a second run gives nearly the same dumps. setarch goes first: it must
# not be profiled itself.
start() { # VARIABLE=value... program [argument]
    local fixed=(setarch x86_64 -R)
    "${fixed[@]}" true 2>/dev/null || fixed=()
    ${fixed[@]+"${fixed[@]}"} env -i LD_LIBRARY_PATH=$run/lib:$run/bin "$@" 2>>$run/build/log
}

dump_tides() {
    mkdir -p $run/out bin gperftools
    rm -f gperftools/tides.*
    cp $run/bin/tides bin/
    start LD_PRELOAD=$run/lib/libtcmalloc.so.4 HEAP_PROFILE_ALLOCATION_INTERVAL=0 HEAP_PROFILE_INUSE_INTERVAL=0 \
        HEAPPROFILE=$run/out/tides $run/bin/tides >gperftools/tides.truth.tsv
    cp $run/out/tides.00{0[1-9],1[0-9],2[0-4]}.heap gperftools/
}

dump_mill() {
    mkdir -p $run/out bin gperftools
    cp $run/bin/mill bin/
    start LD_PRELOAD=$run/lib/libtcmalloc.so.4 HEAP_PROFILE_ALLOCATION_INTERVAL=0 HEAP_PROFILE_INUSE_INTERVAL=0 \
        HEAPPROFILE=$run/out/mill $run/bin/mill >gperftools/mill.truth.tsv
    cp $run/out/mill.0001.heap gperftools/
}

# heaptrack preloads a library that needs the system's own: this program is linked with those.
dump_ferry() {
    mkdir -p $run/out bin heaptrack
    rm -f heaptrack/ferry.*
    cp $run/bin/ferry bin/
    env -i PATH="$PATH" heaptrack -o $run/out/ferry $run/bin/ferry >$run/out/ferry.log 2>&1
    env -i PATH="$PATH" heaptrack -r -o $run/out/ferry $run/bin/ferry >>$run/out/ferry.log 2>&1
    cp $run/out/ferry.zst $run/out/ferry.raw.zst heaptrack/
    $run/bin/ferry >heaptrack/ferry.truth.tsv
}

# Names of files and folders are short, so that no path of this machine is in the recordings; so is the process id.
dump_weir() {
    mkdir -p $run/out dhat
    rm -f dhat/*
    local mode
    for mode in heap copy ad-hoc; do
        (cd $run/bin && valgrind -q --tool=dhat --mode=$mode --dhat-out-file=$run/out/weir.$mode.json ./weir 2>$run/out/weir.tsv)
    done
    (cd $run/out && ../bin/sluice 2>sluice.log && ../bin/sluice events)
    grep -v '^dhat:' $run/out/sluice.log >dhat/sluice.truth.tsv
    cp $run/out/weir.tsv dhat/weir.truth.tsv
    for mode in weir.heap weir.copy weir.ad-hoc dhat-heap dhat-ad-hoc; do
        sed -E 's/("pid": ?)[0-9]+/\11000/; s|"cmd": ".*/sluice|"cmd": "./sluice|' $run/out/$mode.json >dhat/${mode/dhat-/sluice.}.json
    done
}

# valgrind needs the system's own libraries and loader. Its output has all names, so the program is not kept.
dump_quarry() {
    mkdir -p $run/out massif
    rm -f massif/quarry*
    local grind=(env -i PATH="$PATH" valgrind -q) out=$run/out
    local massif=("${grind[@]}" --tool=massif --peak-inaccuracy=0.0 --max-snapshots=40 --detailed-freq=3)
    "${massif[@]}" --massif-out-file=$out/quarry.out $run/bin/quarry massif/quarry.truth.tsv
    "${massif[@]}" --threshold=0 --detailed-freq=10 --time-unit=B --massif-out-file=$out/quarry.bytes.out $run/bin/quarry
    "${massif[@]}" --stacks=yes --massif-out-file=$out/quarry.stacks.out $run/bin/quarry
    "${massif[@]}" --pages-as-heap=yes --detailed-freq=10 --time-unit=ms --massif-out-file=$out/quarry.pages.out $run/bin/quarry
    "${grind[@]}" --xtree-memory=full --xtree-memory-file=$out/quarry.ms $run/bin/quarry
    cp $out/quarry{,.bytes,.stacks,.pages}.out $out/quarry.ms massif/
}

# jemalloc puts the process id into file names; the repository has a number that stays.
adopt() { # pattern with %, number
    local file
    for file in $run/out/${1/\%/*}; do
        cp "$file" "jemalloc/$(basename "$file" | sed -E "s/\.[0-9]+\./.$2./")"
    done
}

dump() {
    local tcmalloc=LD_PRELOAD=$run/lib/libtcmalloc.so.4 jemalloc=LD_PRELOAD=$run/lib/libjemalloc.so.2
    local exact=(HEAP_PROFILE_ALLOCATION_INTERVAL=0 HEAP_PROFILE_INUSE_INTERVAL=0)
    rm -rf $run/out bin gperftools jemalloc pprof
    mkdir -p $run/out bin gperftools jemalloc pprof
    cp $run/bin/{shop,shop-v0,kitchen,libpantry.so} bin/

    start $tcmalloc "${exact[@]}" HEAPPROFILE=$run/out/shop $run/bin/shop |
        awk -v OFS='\t' '{ print "shop.000" NR ".heap", "remember", $2 }' >gperftools/shop.truth.tsv
    start $tcmalloc "${exact[@]}" HEAPPROFILE=$run/out/shop-v0 $run/bin/shop-v0 >/dev/null
    start $tcmalloc "${exact[@]}" HEAPPROFILE=$run/out/kitchen $run/bin/kitchen >/dev/null
    start $tcmalloc TCMALLOC_SAMPLE_PARAMETER=65536 $run/bin/kitchen $run/out/kitchen-sampled.heap >/dev/null
    cp $run/out/{shop.000[123],shop-v0.0003,kitchen.0001,kitchen-sampled}.heap gperftools/

    local conf=prof:true,prof_accum:true,prof_final:true
    start $jemalloc MALLOC_CONF=$conf,lg_prof_sample:0,prof_prefix:$run/out/shop-exact $run/bin/shop >/dev/null
    start $jemalloc MALLOC_CONF=$conf,lg_prof_sample:12,prof_prefix:$run/out/shop-sampled $run/bin/shop >/dev/null
    start $jemalloc MALLOC_CONF=prof:true,lg_prof_sample:14,prof_prefix:$run/out/kitchen $run/bin/kitchen >/dev/null
    adopt shop-exact.%.3.f.heap 1000
    adopt shop-sampled.%.0.m0.heap 2000
    adopt shop-sampled.%.2.m2.heap 2000
    adopt kitchen.%.0.m0.heap 3000

    (cd $run/out && start GOMAXPROCS=2 $run/bin/depot .)
    cp $run/out/depot.{0.pb.gz,1.pb.gz,txt} pprof/
}

# --- Goldens --------------------------------------------------------------------------------------------------------

pprof() { PPROF_BINARY_PATH=bin PPROF_TMPDIR=$run/build $run/build/pprof "$@" 2>>$run/build/log; }

# One golden and its line in the table. Arguments are single words, so that a test can split them at blanks.
oracle() { # golden, tool, binary or "", profile, argument...
    local golden=$1 tool=$2 binary=$3 profile=$4
    shift 4
    case $tool in
        pprof) pprof "$@" $binary "$profile" ;;
        jeprof) jeprof "$@" $run/$binary "$profile" 2>>$run/build/log ;; # finds a PIE only at the path in the dump
    esac >"oracle/$golden.txt" || { echo "failed: $tool $* $binary $profile" >&2; exit 1; }
    printf '%s\t%s\t%s\t%s\t%s\n' "$golden.txt" "$tool" "$*" "$binary" "$profile" >>oracle/commands.tsv
}

by_pprof() { # stem, binary or "", profile, function to peek at
    local all=(-nodecount=500 -nodefraction=0 -edgefraction=0 -unit=B -sample_index=inuse_space)
    oracle "$1.top" pprof "$2" "$3" -top "${all[@]}"
    oracle "$1.top-cum" pprof "$2" "$3" -top -cum "${all[@]}"
    oracle "$1.top-lines" pprof "$2" "$3" -top -lines "${all[@]}"
    oracle "$1.top-alloc" pprof "$2" "$3" -top "${all[@]/inuse_space/alloc_space}"
    oracle "$1.top-objects" pprof "$2" "$3" -top "${all[@]/inuse_space/inuse_objects}"
    oracle "$1.tree" pprof "$2" "$3" -tree "${all[@]}"
    oracle "$1.peek" pprof "$2" "$3" "-peek=$4" "${all[@]}"
    oracle "$1.dot" pprof "$2" "$3" -dot -unit=B -sample_index=inuse_space
    oracle "$1.raw" pprof "$2" "$3" -raw
}

by_pprof_filtered() { # stem, binary or "", profile, then name=regex...
    local stem=$1 binary=$2 profile=$3 filter
    shift 3
    for filter in "$@"; do
        oracle "$stem.top-${filter%%=*}" pprof "$binary" "$profile" -top "-$filter" \
            -nodecount=500 -nodefraction=0 -unit=B -sample_index=inuse_space
    done
}

by_jeprof() { # stem, binary, profile
    oracle "$1.text" jeprof "$2" "$3" --text --show_bytes
    oracle "$1.text-cum" jeprof "$2" "$3" --text --show_bytes --cum
    oracle "$1.text-lines" jeprof "$2" "$3" --text --show_bytes --lines
    oracle "$1.text-objects" jeprof "$2" "$3" --text --inuse_objects
}

goldens() {
    mkdir -p $run/bin $run/lib $run/build
    : >$run/build/log
    cp bin/* $run/bin/
    # Only the allocators may be found: both tools know the frames to cut by their names in these two.
    find $run/lib -type f -delete
    cp -L $libs/libtcmalloc.so.4 $libs/libjemalloc.so.2 $run/lib/
    if [ -n "${PPROF:-}" ]; then
        cp "$PPROF" $run/build/pprof
    else
        GO111MODULE=off GOPATH=/usr/share/gocode go build -o $run/build/pprof github.com/google/pprof
    fi
    pprof -proto bin/shop gperftools/shop.0003.heap >pprof/shop.0003.pb.gz # named by pprof, with inlined frames
    python3 programs/awkward.py pprof/awkward.pb.gz

    rm -rf oracle
    mkdir oracle
    printf 'golden\ttool\targuments\tbinary\tprofile\n' >oracle/commands.tsv

    local shop=gperftools/shop.0003.heap
    by_pprof shop.0003 bin/shop $shop Slab
    by_pprof_filtered shop.0003 bin/shop $shop focus=remember ignore=remember hide=alloc show=shop \
        show_from=serve base=gperftools/shop.0001.heap diff_base=gperftools/shop.0001.heap
    oracle shop.0003.top-files pprof bin/shop $shop -top -files -nodefraction=0 -unit=B
    oracle shop.0003.top-addresses pprof bin/shop $shop -top -addresses -nodefraction=0 -unit=B
    oracle shop.0003.top-noinlines pprof bin/shop $shop -top -noinlines -nodefraction=0 -unit=B
    oracle shop.0003.top-defaults pprof bin/shop $shop -top
    oracle shop.0003.list pprof bin/shop $shop -list=remember -unit=B \
        -source_path=programs/rust -trim_path=/heapview/testdata/programs/rust
    oracle shop.0001.top pprof bin/shop gperftools/shop.0001.heap -top -nodecount=500 -nodefraction=0 -unit=B
    oracle shop-v0.0003.top pprof bin/shop-v0 gperftools/shop-v0.0003.heap -top -nodecount=500 -nodefraction=0 -unit=B
    oracle shop-pb.0003.top pprof "" pprof/shop.0003.pb.gz -top -nodecount=500 -nodefraction=0 -unit=B

    by_pprof kitchen.0001 bin/kitchen gperftools/kitchen.0001.heap Jar
    oracle kitchen.0001.traces pprof bin/kitchen gperftools/kitchen.0001.heap -traces -unit=B
    oracle kitchen.0001.list pprof bin/kitchen gperftools/kitchen.0001.heap -list=engrave -unit=B \
        -source_path=programs/cpp -trim_path=/heapview/testdata/programs/cpp
    oracle kitchen-sampled.top pprof bin/kitchen gperftools/kitchen-sampled.heap -top -nodefraction=0 -unit=B
    oracle kitchen-sampled.raw pprof bin/kitchen gperftools/kitchen-sampled.heap -raw

    by_pprof depot.1 "" pprof/depot.1.pb.gz wrap
    by_pprof_filtered depot.1 "" pprof/depot.1.pb.gz focus=wrap ignore=wrap hide=runtime show=main \
        show_from=shift base=pprof/depot.0.pb.gz diff_base=pprof/depot.0.pb.gz tagfocus=200b:400b
    oracle depot.1.dot-all pprof "" pprof/depot.1.pb.gz -dot -nodefraction=0 -edgefraction=0 -nodecount=500 -unit=B
    oracle depot.1.traces pprof "" pprof/depot.1.pb.gz -traces -unit=B
    oracle depot.1.tags pprof "" pprof/depot.1.pb.gz -tags -unit=B
    oracle depot.1.callgrind pprof "" pprof/depot.1.pb.gz -callgrind -nodefraction=0 -unit=B
    oracle depot-text.raw pprof "" pprof/depot.txt -raw

    local exact=jemalloc/shop-exact.1000.3.f.heap
    local first=jemalloc/shop-sampled.2000.0.m0.heap second=jemalloc/shop-sampled.2000.2.m2.heap
    by_jeprof shop-exact bin/shop $exact
    oracle shop-exact.text-alloc jeprof bin/shop $exact --text --show_bytes --alloc_space
    oracle shop-exact.text-focus jeprof bin/shop $exact --text --show_bytes --focus=remember
    oracle shop-exact.text-ignore jeprof bin/shop $exact --text --show_bytes --ignore=remember
    oracle shop-exact.text-thread jeprof bin/shop $exact --text --show_bytes --thread=2
    oracle shop-exact.text-threads jeprof bin/shop $exact --text --show_bytes '--thread=*'
    by_jeprof shop-sampled.m2 bin/shop $second
    oracle shop-sampled.m2.text-alloc jeprof bin/shop $second --text --show_bytes --alloc_space
    oracle shop-sampled.m2.text-base jeprof bin/shop $second --text --show_bytes --base=$first
    oracle shop-sampled.m2.text-thread jeprof bin/shop $second --text --show_bytes --thread=1
    oracle shop-sampled.m0.text jeprof bin/shop $first --text --show_bytes
    by_jeprof kitchen bin/kitchen jemalloc/kitchen.3000.0.m0.heap
    oracle kitchen.text-exclude jeprof bin/kitchen jemalloc/kitchen.3000.0.m0.heap \
        --text --show_bytes '--exclude=^malloc_usable_size$'
}

versions() {
    printf 'rustc %s\n' "$(rustc --version | cut -d' ' -f2)"
    printf 'g++ %s\n' "$(g++ -dumpfullversion)"
    go version | cut -d' ' -f1,3
    dpkg-query -W -f '${Package} ${Version}\n' libgoogle-perftools4 libjemalloc2 libjemalloc-dev libc6 binutils llvm \
        golang-github-google-pprof-dev golang-github-ianlancetaylor-demangle-dev
}

if [ "$mode" != oracle ]; then
    rm -rf $run
    mkdir -p $run/bin $run/build
    copy_libraries
    case $mode in all | tides) build_tides ;; esac
    case $mode in all | mill) build_mill ;; esac
    case $mode in all | ferry) build_ferry ;; esac
    case $mode in all | weir) build_weir && build_sluice ;; esac
    case $mode in all | quarry) build_quarry ;; esac
fi
if [ "$mode" = all ]; then
    build_rust
    build_cpp
    build_go
    dump
    versions >versions.txt
fi
case $mode in all | tides) dump_tides ;; esac
case $mode in all | mill) dump_mill ;; esac
case $mode in all | ferry) dump_ferry ;; esac
case $mode in all | weir) dump_weir ;; esac
case $mode in all | quarry) dump_quarry ;; esac
case $mode in all | oracle) goldens ;; esac
if grep -rlF -e "$repo" -e "${HOME:-/root}/" bin dhat gperftools heaptrack jemalloc massif pprof oracle; then
    echo "the files above name this machine" >&2
    exit 1
fi
du -sch bin dhat gperftools heaptrack jemalloc massif pprof oracle
