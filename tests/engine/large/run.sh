#!/usr/bin/env bash
# Names of a 1 MB dump from a program with 200 MB of debug information in a file of its own: looked up in the engine within 1 GB,
# by reading a part of the file only, and the same as the program finds.
#
#     tests/engine/large/run.sh ENGINE.wasm HEAPVIEW [FOLDER]    # FOLDER: where the program is built, by default target/tmp/large
set -euo pipefail
engine=$(realpath "$1")
heapview=$(realpath "$2")
cd "$(dirname "$0")/../../.."
sources=$PWD/tests/engine/large
folder=${3:-target/tmp/large}
units=126

mkdir -p "$folder"
cd "$folder"
if [ ! -f shelves.heap ]; then
    {
        for i in $(seq 0 $((units - 1))); do echo "extern \"C\" int entry_$i(int, int);"; done
        echo "static int (*const entries[])(int, int) = {"
        for i in $(seq 0 $((units - 1))); do echo "    entry_$i,"; done
        echo "};"
    } >units.h
    # One object file under many names takes seconds to build, and the linker keeps the debug information of each.
    # Without weak symbols each has functions of its own, as if they were about different types.
    g++ -std=c++17 -O2 -g -fno-weak -fno-rtti -c "$sources/unit.cc" -o unit.o
    for i in $(seq 0 $((units - 1))); do objcopy --redefine-sym "entry=entry_$i" unit.o "unit-$i.o"; done
    g++ -std=c++17 -O1 -g -I. "$sources/main.cc" unit-*.o -o shelves -pthread -Wl,--build-id
    rm unit*.o
    objcopy --only-keep-debug shelves shelves.debug
    objcopy --strip-all --add-gnu-debuglink=shelves.debug shelves
    ./shelves >part.heap
    mv part.heap shelves.heap
fi
ls -l shelves shelves.debug shelves.heap
node "$sources/measure.mjs" "$engine" "$heapview" "$PWD"
