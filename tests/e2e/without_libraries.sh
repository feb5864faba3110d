#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A build without the libraries that can be switched off: what needs none gives
# the same report, and what needs one says so. CMake names what it misses.
. "$(dirname "$0")/common.inc"

readonly tree=$E2E/without_libraries full=$HEAPPROF
readonly dump=$dumps/inlining.gcc-O2.heap binary=$bin/gcc-O2/inlining
switches=()
for library in BOOST BZIP2 DEBUGINFOD ISAL JSON LIBIBERTY LZMA PCRE2 TOML ZSTD; do
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
expect_equal losses 10 "$(grep -c '^-- Without .* (HEAPPROF_.*=OFF): ' "$tmp/out")"
command_line="cmake --build"
cmake --build "$tree" --target heapprof >"$tmp/out" 2>"$tmp/err" ||
  fail "the build" "status 0" "status $?"
HEAPPROF=$tree/heapprof

run --version
expect_equal losses 10 "$(grep -c '^without .*: ' "$tmp/out")"
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

# Our own quantiles and sorts lead to the same digits. These dumps have names, so
# that the demangler does not matter.
for dump_name in quickstart.gcc-O2 quickstart.clang-O2; do
  HEAPPROF=$full run --raw "$E2E/sampled/$dump_name.heap"
  cp "$tmp/out" "$tmp/$dump_name.heap"
done
readonly named=$tmp/quickstart.gcc-O2.heap other=$tmp/quickstart.clang-O2.heap
# same_output ARGUMENT...
# It suggests no page that it cannot write.
same_output() {
  HEAPPROF=$full run "$@"
  sed -E 's/^(heapprof -o [a-z]+)\.html /\1.flame.svg /' "$tmp/out" \
    >"$tmp/expected"
  local expected=$status
  run "$@"
  expect_status "$expected"
  expect_same expected out
}

same_output --overview "$named"
expect_match out ' ± '
same_output --text --ci "$named"
expect_match out '±'
same_output --markdown --base "$other" "$named"
same_output --flamegraph "$named"
same_output --ndjson "$named"
same_output --speedscope "$named"
HEAPPROF=$full run --proto "$named"
gunzip <"$tmp/out" >"$tmp/expected"
run --proto "$named"
gunzip <"$tmp/out" >"$tmp/unpacked"
expect_same expected unpacked
same_output check --max-growth 1KiB --base "$other" "$named"
expect_match out ' ± '
same_output check --max-total 1KiB "$named"
same_output trend "$named" "$other" "$named"

# cannot_write FORMAT ARGUMENT...
cannot_write() {
  local format=$1
  shift
  expect_usage_error "^heapprof: error: $format cannot be written, because this heapprof was built without nlohmann-json \(HEAPPROF_JSON=OFF\)$" "$@"
}
cannot_write JSON --json "$dump"
cannot_write JSON -o "$tmp/mem.txt" -o "$tmp/mem.json" "$dump"
cannot_write HTML -o "$tmp/mem.html" "$dump"
cannot_write JSON info --json "$dump"
cannot_write JSON doctor --json "$dump"
cannot_write JSON trend --json "$dump" "$dump"
cannot_write JSON check --format=json --max-total 1KiB "$dump"
cannot_write JSON explain --json --stats "$tmp/stats.json"
echo '{"jemalloc": {}}' >"$tmp/stats.json"
run explain --stats "$tmp/stats.json" "$dump"
expect_status 1
expect_match err '^heapprof: error: .*stats\.json: JSON cannot be read, because .* \(HEAPPROF_JSON=OFF\); the text '

run --markdown "$dump"
expect_match out 'heapprof -o mem\.flame\.svg '

run --text --groups=@rocksdb "$dump"
expect_status 2
expect_match err '^heapprof: error: @rocksdb: groups cannot be read, because .* \(HEAPPROF_TOML=OFF\)$'
echo 'max_total = "1KiB"' >"$tmp/budgets.toml"
expect_usage_error '^heapprof: error: .*budgets\.toml: budgets cannot be read, because .* \(HEAPPROF_TOML=OFF\)$' \
  check --budgets "$tmp/budgets.toml" "$dump"
DEBUGINFOD_URLS=http://localhost run --debuginfod --text "$dump"
expect_status 2
expect_match err '^heapprof: error: --debuginfod .* \(HEAPPROF_DEBUGINFOD=OFF\)'
