#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A build without the libraries that can be switched off: what needs none gives
# the same report, and what needs one says so. CMake names what it misses.
. "$(dirname "$0")/common.inc"

readonly tree=$E2E/without_libraries full=$HEAPPROF
readonly dump=$dumps/inlining.gcc-O2.heap binary=$bin/gcc-O2/inlining
switches=()
for library in BZIP2 DEBUGINFOD ISAL LIBIBERTY LZMA PCRE2 ZSTD; do
  switches+=("-DHEAPPROF_$library=OFF")
done

# configure OPTION...
configure() {
  command_line="cmake $*"
  cmake -G Ninja -S "$E2E_SOURCES/../.." -DCMAKE_BUILD_TYPE=Release \
    -DHEAPPROF_TESTS=OFF "$@" >"$tmp/out" 2>"$tmp/err"
}

# Where pkg-config finds nothing, one line for each library says what to do.
! PKG_CONFIG_LIBDIR=/nonexistent configure -B "$tmp/nothing" ||
  fail "without libraries" "an error" none
expect_match err '^ *zstd \(Debian: libzstd-dev\), or do without: -DHEAPPROF_ZSTD=OFF$'
expect_match err '^ *libdw \(Debian: libdw-dev\)$'
expect_equal "missing libraries" 7 "$(grep -c '(Debian: ' "$tmp/err")"

configure -B "$tree" -DCMAKE_CXX_FLAGS_RELEASE='-O1 -DNDEBUG' \
  -DCMAKE_UNITY_BUILD=ON -DHEAPPROF_WERROR=ON "${switches[@]}" ||
  fail cmake "status 0" "status $?"
expect_equal losses 7 "$(grep -c '^-- Without .* (HEAPPROF_.*=OFF): ' "$tmp/out")"
command_line="cmake --build"
cmake --build "$tree" --target heapprof >"$tmp/out" 2>"$tmp/err" ||
  fail "the build" "status 0" "status $?"
HEAPPROF=$tree/heapprof

run --version
expect_equal losses 7 "$(grep -c '^without .*: ' "$tmp/out")"
readelf -dW "$HEAPPROF" >"$tmp/out"
expect_match out 'NEEDED.*libz\.so'
expect_no_match out 'NEEDED.*lib(isal|zstd|lzma|bz2|pcre2)'

# same_report ARGUMENT...: with the names that c++filt makes of the mangled ones,
# the report is that of the full program.
same_report() {
  HEAPPROF=$full run --collapsed --names=full --no-cache "$@"
  sort "$tmp/out" >"$tmp/expected"
  run --collapsed --names=full --no-cache "$@"
  expect_status 0
  c++filt <"$tmp/out" | sed 's/{lambda(int)#1}/{lambda(int)}/' | sort \
    >"$tmp/named"
  expect_same expected named
}

same_report "$dump"
expect_match out ';_ZN4demo9HoldChainEi;'
expect_match err '^heapprof: names of C\+\+ and Rust stay mangled, because this heapprof was built without libiberty \(HEAPPROF_LIBIBERTY=OFF\)$'
same_report --focus=HoldChain "$dump"

# zlib reads and writes what ISA-L does otherwise.
gzip --stdout "$dump" >"$tmp/dump.heap.gz"
objcopy --compress-debug-sections=zlib "$binary" "$tmp/inlining"
same_report --jobs=1 "$tmp/inlining" "$tmp/dump.heap.gz"
same_report --jobs=2 "$tmp/inlining" "$tmp/dump.heap.gz"
run --collapsed --names=full "$dump"
cp "$tmp/out" "$tmp/expected"
run -o "$tmp/mem.pb.gz" "$dump"
expect_status 0
gzip --test "$tmp/mem.pb.gz"
run --collapsed --names=full "$tmp/mem.pb.gz"
expect_same expected out

for tool in "zstd zstd ZSTD" "xz liblzma LZMA" "bzip2 bzip2 BZIP2"; do
  read -r packer library switch <<<"$tool"
  "$packer" --stdout "$dump" >"$tmp/dump.heap.$packer"
  run --text "$tmp/dump.heap.$packer"
  expect_status 1
  expect_match err "^heapprof: error: .*dump.heap.$packer: $packer data cannot be read, because this heapprof was built without $library \(HEAPPROF_$switch=OFF\); decompress it first$"
done
llvm-objcopy-19 --compress-debug-sections=zstd "$binary" "$tmp/inlining"
run --text --no-cache "$tmp/inlining" "$dump"
expect_status 0
expect_match err 'inlining: .*\.debug_.*: zstd data cannot be read, because .* \(HEAPPROF_ZSTD=OFF\)'
strip -o "$tmp/inlining" "$binary"
head -c 400 "$binary" | xz >"$tmp/mini.xz"
objcopy --add-section .gnu_debugdata="$tmp/mini.xz" "$tmp/inlining"
run --text --no-cache "$tmp/inlining" "$dump"
expect_status 0
expect_match err 'inlining: section \.gnu_debugdata: xz data cannot be read, because .* \(HEAPPROF_LZMA=OFF\)'

run --text --focus='Hold.*' "$dump"
expect_status 2
expect_match err "^heapprof: error: --focus=Hold\.\*: '\.' cannot be in a pattern, because .* \(HEAPPROF_PCRE2=OFF\); plain text can"
run --text --groups=@rocksdb "$dump"
expect_status 2
expect_match err '\(HEAPPROF_PCRE2=OFF\)'
DEBUGINFOD_URLS=http://localhost run --debuginfod --text "$dump"
expect_status 2
expect_match err '^heapprof: error: --debuginfod .* \(HEAPPROF_DEBUGINFOD=OFF\)'
