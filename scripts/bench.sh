#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares heapprof with its peers on the same data, on this machine, in one
# run. Prints the versions and Markdown tables; scripts/bench/measure.py says
# how it measures.
#
# usage: bench.sh [RUNS [TABLE...]]      (default 5, and all tables)
#
# Installs what is missing, including a JVM with 156 MB of compressed debug
# information, and downloads 1 GB of programs with theirs; needs 7 GB in
# build/bench. GIMLI_ADDR2LINE names gimli's addr2line; without it, the one that
# Debian packages is built.
set -euo pipefail

readonly runs=${1:-5}
readonly tables=("${@:2}")
cd "$(dirname "$0")/.."
readonly heapprof=$PWD/build/release/heapprof
readonly sources=$PWD/scripts/bench
readonly out=$PWD/build/bench
readonly packages=$out/packages
readonly java_home=/usr/lib/jvm/java-17-openjdk-amd64
readonly libjvm=$java_home/lib/server/libjvm.so
export LC_ALL=C

# profile NAME OPTIONS COMMAND...: the last dump that COMMAND writes becomes
# $out/NAME.heap.
profile() {
  local name=$1 options=$2
  shift 2
  rm -f "$out/$name".*.heap
  LD_PRELOAD=libjemalloc.so.2 \
    MALLOC_CONF=prof:true,prof_final:true,$options,prof_prefix:$out/$name \
    "$@" >/dev/null
  mv "$(find "$out" -maxdepth 1 -name "$name.*.heap" -printf '%s %p\n' |
    sort -rn | sed '1!d; s/^[0-9]* //')" "$out/$name.heap"
}

# About a hundred dumps of one process.
profile_series() {
  rm -rf "$out/series"
  mkdir "$out/series"
  LD_PRELOAD=libjemalloc.so.2 \
    MALLOC_CONF=prof:true,lg_prof_sample:9,lg_prof_interval:19,prof_prefix:$out/series/jvm \
    "$java_home/bin/java" "$sources/Compile.java" "$out/classes" \
    "$sources/Compile.java" >/dev/null
}

# Its own dump is of a time when all is still held.
profile_python() {
  LD_PRELOAD=libjemalloc.so.2 PYTHONMALLOC=malloc \
    MALLOC_CONF=prof:true,lg_prof_sample:6 \
    /usr/bin/python3.11 "$sources/nest.py" "$out/python.heap"
}

# unpack PACKAGE: the files of PACKAGE and PACKAGE-dbg, in $packages/PACKAGE.
# They are not installed, because they need many other packages.
unpack() {
  local folder=$packages/$1 package
  [[ ! -d $folder ]] || return 0
  rm -rf "$folder.part"
  mkdir -p "$folder.part"
  (
    cd "$folder.part"
    apt-get -qq -o APT::Sandbox::User="$(id -un)" download "$1" "$1-dbg"
    for package in *.deb; do dpkg -x "$package" .; done
    rm ./*.deb
  )
  mv "$folder.part" "$folder"
}

# link_debug BINARY FOLDER: its debug file becomes $out/NAME.zlib.debug. FOLDER is
# a debug directory.
link_debug() {
  local id
  id=$(readelf -n "$1" | sed -n 's/.*Build ID: //p')
  ln -sf "$2/.build-id/${id:0:2}/${id:2}.debug" \
    "$out/$(basename "$1").zlib.debug"
}

# make_full BINARY: $out/NAME, which has its debug information inside and not
# compressed.
make_full() {
  local name=$out/${1##*/}
  objcopy --decompress-debug-sections "$name.zlib.debug" "$name.debug"
  eu-unstrip -o "$name" "$1" "$name.debug"
  rm "$name.debug"
}

build_addr2line() {
  local crate
  crate=$(echo /usr/share/cargo/registry/addr2line-*)
  rm -rf "$out/addr2line"
  cp -r "$crate" "$out/addr2line"
  mkdir "$out/addr2line/.cargo"
  cat >"$out/addr2line/.cargo/config.toml" <<'END'
[source.crates-io]
replace-with = "debian"
[source.debian]
directory = "/usr/share/cargo/registry"
END
  (cd "$out/addr2line" &&
    cargo build --quiet --release --offline --example addr2line 2>/dev/null)
  addr2line=$out/addr2line/target/release/examples/addr2line
}

# generate NAME BINARY COUNT: a dump, and its addresses for symbolizers.
generate() {
  python3 "$sources/generate_dump.py" "$2" "$3" >"$out/$1.heap"
  python3 "$sources/generate_dump.py" --addresses "$2" "$3" \
    >"$out/$1.addresses"
}

bash scripts/install_deps.sh bench
cmake --preset release --log-level=WARNING >&2
cmake --build --preset release --target heapprof >&2
mkdir -p "$out"
rm -rf "$out/cache"

profile clang prof_accum:true,lg_prof_sample:9 \
  /usr/lib/llvm-19/bin/clang++ -std=c++20 -O2 -c -o "$out/compiled.o" \
  "$sources/compiled.cc"
profile jvm lg_prof_sample:0 "$java_home/bin/java" "$sources/Compile.java" \
  "$out/classes" "$sources/Compile.java"
profile_series
profile_python
link_debug "$libjvm" /usr/lib/debug
make_full "$libjvm"
unpack ceph-mon
unpack connectome-workbench
unpack ceph-osd
for program in ceph-mon/usr/bin/ceph-mon ceph-osd/usr/bin/ceph-osd \
  connectome-workbench/usr/bin/wb_command; do
  link_debug "$packages/$program" "$packages/${program%%/*}/usr/lib/debug"
done
make_full "$packages/ceph-mon/usr/bin/ceph-mon"
make_full "$packages/connectome-workbench/usr/bin/wb_command"
addr2line=${GIMLI_ADDR2LINE-}
[[ -n $addr2line ]] || build_addr2line
generate inside "$out/libjvm.so" 10000
generate separate "$libjvm" 10000
generate rust "$addr2line" 10000
generate mon "$out/ceph-mon" 10000
generate wb "$out/wb_command" 10000
generate osd "$packages/ceph-osd/usr/bin/ceph-osd" 10000
for count in 1000 10000 100000 1000000; do
  generate "$count" "$out/libjvm.so" "$count"
done

echo "$(nproc) × $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1);" \
  "$("$heapprof" --version | head -n 1);" \
  "jeprof $(jeprof --version 2>&1 | sed -n 's/.*jemalloc \([0-9.]*\).*/\1/p')" \
  "with $(addr2line --version | head -n 1);" \
  "gimli's addr2line" \
  "$(basename "$(echo /usr/share/cargo/registry/addr2line-*)" | sed 's/.*-//');" \
  "llvm-symbolizer$(llvm-symbolizer-19 --version | sed -n 's/.*version//p');" \
  "$(eu-addr2line --version | head -n 1); medians of $runs"
echo
python3 "$sources/measure.py" "$out" "$heapprof" "$addr2line" "$runs" \
  "${tables[@]}"
