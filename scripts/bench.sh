#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares heapprof with jeprof on the same dumps: alternating runs, medians
# of the wall-clock time, page cache warm. Prints a Markdown table.
#
# usage: bench.sh [RUNS]      (default 5)
#
# Installs what is missing, among it a JVM with 156 MB of compressed debug
# information; needs 2 GB in build/bench.
set -euo pipefail

readonly runs=${1:-5}
cd "$(dirname "$0")/.."
readonly heapprof=$PWD/build/release/heapprof
readonly out=$PWD/build/bench
readonly java_home=/usr/lib/jvm/java-17-openjdk-amd64
readonly libjvm=$java_home/lib/server/libjvm.so
readonly clang=/usr/lib/llvm-19/bin/clang
export LC_ALL=C

bash scripts/install_deps.sh bench
cmake --preset release --log-level=WARNING >&2
cmake --build --preset release --target heapprof >&2
mkdir -p "$out"

# profile NAME OPTIONS COMMAND...: the last dump that COMMAND writes becomes
# $out/NAME.heap.
profile() {
  local name=$1 options=$2
  shift 2
  rm -f "$out/$name".*.heap
  LD_PRELOAD=libjemalloc.so.2 \
    MALLOC_CONF=prof:true,prof_final:true,$options,prof_prefix:$out/$name \
    "$@" >/dev/null
  mv "$(ls -S "$out/$name".*.heap | head -n 1)" "$out/$name.heap"
}

# A compiler: 128 MB of code without debug information.
make_clang_dump() {
  cat >"$out/input.cc" <<'END'
#include <iostream>
#include <map>
#include <regex>
int main() {
  std::map<std::string, int> words;
  std::cout << std::regex_match("aaa", std::regex("a+")) << words.size();
}
END
  profile clang prof_accum:true,lg_prof_sample:9 \
    "$clang"++ -std=c++20 -O2 -c -o "$out/input.o" "$out/input.cc"
}

# A JVM that compiles itself a class.
make_jvm_dump() {
  cat >"$out/Compile.java" <<'END'
public class Compile {
  public static void main(String[] args) {
    javax.tools.ToolProvider.getSystemJavaCompiler().run(
        null, null, null, "-d", args[0], args[1]);
  }
}
END
  profile jvm lg_prof_sample:0 "$java_home/bin/java" \
    "$out/Compile.java" "$out/classes" "$out/Compile.java"
}

# libjvm.so with its debug information inside and not compressed.
make_full_libjvm() {
  local id
  id=$(readelf -n "$libjvm" | sed -n 's/.*Build ID: //p')
  objcopy --decompress-debug-sections \
    "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" "$out/libjvm.debug"
  eu-unstrip -o "$out/libjvm.so" "$libjvm" "$out/libjvm.debug"
  rm "$out/libjvm.debug"
}

# seconds COMMAND...: runs it and prints the wall-clock time.
seconds() {
  local start end
  start=$(date +%s%N)
  "$@" >"$out/report" 2>/dev/null || {
    echo "bench.sh: failed: $*" >&2
    return 1
  }
  end=$(date +%s%N)
  [[ $(wc -l <"$out/report") -gt 10 ]] || {
    echo "bench.sh: no report: $*" >&2
    return 1
  }
  awk -v ns=$((end - start)) 'BEGIN { printf "%.3f\n", ns / 1e9 }'
}

median() {
  sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# compare LABEL BINARY DUMP
compare() {
  local label=$1 binary=$2 dump=$3 ours=() theirs=() i
  "$heapprof" --collapsed "$binary" "$dump" >/dev/null 2>&1  # page cache
  for ((i = 0; i < runs; ++i)); do
    theirs+=("$(seconds jeprof --collapsed "$binary" "$dump")")
    ours+=("$(seconds "$heapprof" --collapsed "$binary" "$dump")")
  done
  local a b
  a=$(printf '%s\n' "${theirs[@]}" | median)
  b=$(printf '%s\n' "${ours[@]}" | median)
  awk -v label="$label" -v a="$a" -v b="$b" \
    -v mb="$(stat -c %s "$dump")" -v n="$(addresses "$dump")" \
    'BEGIN { printf "| %s | %.1f MB | %d | %.2f s | %.2f s | %.1f × |\n",
             label, mb / 1e6, n, a, b, a / b }'
}

# Distinct addresses in the stacks of a dump.
addresses() {
  sed -n '/^MAPPED/q; s/^@ *//p' "$1" | tr -s ' ' '\n' | sort -u | wc -l
}

make_clang_dump
make_jvm_dump
make_full_libjvm
python3 scripts/bench_dump.py "$out/libjvm.so" 10000 >"$out/inside.heap"
python3 scripts/bench_dump.py "$libjvm" 10000 >"$out/separate.heap"

echo "$(nproc) × $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)," \
  "$("$heapprof" --version), jeprof $(jeprof --version 2>&1 |
    sed -n 's/.*jemalloc \([0-9.]*\).*/\1/p') with" \
  "$(addr2line --version | head -n 1), medians of $runs"
cat <<'END'

| dump | size | addresses | jeprof | heapprof | ratio |
|---|---|---|---|---|---|
END
compare 'clang 19 compiling: no debug information' "$clang" "$out/clang.heap"
compare 'OpenJDK 17: separate debug file, zlib' "$java_home/bin/java" \
  "$out/jvm.heap"
compare 'generated, on libjvm.so: DWARF inside' "$out/libjvm.so" \
  "$out/inside.heap"
compare 'generated, on libjvm.so: separate debug file, zlib' "$libjvm" \
  "$out/separate.heap"
