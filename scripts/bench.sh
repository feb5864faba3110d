#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares heapprof with its peers on the same data, on this machine, in one
# run. Prints the versions and Markdown tables; scripts/bench/measure.py says
# how it measures.
#
# usage: bench.sh [RUNS]      (default 5)
#
# Installs what is missing, including a JVM with 156 MB of compressed debug
# information; needs 3 GB in build/bench. GIMLI_ADDR2LINE names gimli's
# addr2line; without it, the one that Debian packages is built.
set -euo pipefail

readonly runs=${1:-5}
cd "$(dirname "$0")/.."
readonly heapprof=$PWD/build/release/heapprof
readonly sources=$PWD/scripts/bench
readonly out=$PWD/build/bench
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

# libjvm.so with its debug information inside and not compressed.
make_full_libjvm() {
  local id
  id=$(readelf -n "$libjvm" | sed -n 's/.*Build ID: //p')
  ln -sf "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" \
    "$out/libjvm.zlib.debug"
  objcopy --decompress-debug-sections "$out/libjvm.zlib.debug" \
    "$out/libjvm.debug"
  eu-unstrip -o "$out/libjvm.so" "$libjvm" "$out/libjvm.debug"
  rm "$out/libjvm.debug"
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
make_full_libjvm
addr2line=${GIMLI_ADDR2LINE-}
[[ -n $addr2line ]] || build_addr2line
generate inside "$out/libjvm.so" 10000
generate separate "$libjvm" 10000
generate rust "$addr2line" 10000
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
python3 "$sources/measure.py" "$out" "$heapprof" "$addr2line" "$runs"
