#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what heapprof needs from Debian 12's archive.
#
# usage: install_deps.sh [build|quickstart|package|cross|test|full|bench]
#
#   build       what compiles heapprof (default)
#   quickstart  and jemalloc, whose profiles scripts/quickstart.sh reads
#   package     what scripts/package.sh needs, and what compiles heapprof
#   cross       and what 'scripts/package.sh --aarch64' needs
#   test        what compiles heapprof, and what the tests compile, run and
#               compare with
#   full        and what scripts/test.sh --full runs in addition
#   bench       what scripts/bench.sh measures, and jeprof
#
# Fetches nothing when everything is there.
set -euo pipefail

build=(
  g++ cmake ninja-build pkg-config
  libboost-math-dev libcli11-dev libdebuginfod-dev libdw-dev libelf-dev libfmt-dev libiberty-dev
  nlohmann-json3-dev
  libprotobuf-dev libtomlplusplus-dev
  libbz2-dev libisal-dev liblzma-dev libpcre2-dev libzstd-dev
)
quickstart=("${build[@]}" libjemalloc2)
package=("${build[@]}" dpkg-dev git nasm umoci zlib1g-dev)
cross=("${package[@]}" g++-aarch64-linux-gnu mmdebstrap qemu-user)
test=(
  "${quickstart[@]}"
  libgtest-dev libgmock-dev protobuf-compiler zlib1g-dev
  clang-19 clang-format-19 libclang-rt-19-dev lld-19 llvm-19
  debuginfod libgoogle-perftools4 libjemalloc-dev binutils dwz elfutils
  esbuild jq libc6-dbg perl python3 python3.11-dbg
  golang-go golang-github-google-pprof-dev libdevel-nytprof-perl
  ca-certificates git zstd graphviz ghostscript poppler-utils
  python3-jsonschema python3-junitparser python3-scipy shellcheck valgrind
)
command -v node >/dev/null || test+=(nodejs)
full=("${test[@]}" clang-tidy-19 chromium firefox-esr
  clickhouse-server clickhouse-client
  "${cross[@]}" fish lintian mandoc skopeo zsh)
# Node.js from elsewhere brings an npm of its own.
command -v npm >/dev/null || full+=(npm)
bench=(
  "${quickstart[@]}"
  libjemalloc-dev binutils elfutils perl python3
  clang-19 llvm-19 openjdk-17-jdk-headless openjdk-17-dbg python3.11-dbg
  cargo librust-addr2line+default-dev librust-addr2line+std-object-dev
  librust-backtrace-dev librust-clap-3-dev librust-cpp-demangle-dev
  librust-findshlibs-dev librust-memmap2-dev librust-typed-arena-dev
)

fail() {
  echo "install_deps.sh: $1" >&2
  exit "${2:-1}"
}

# Prints the given packages that are not installed.
missing_of() {
  local package status
  for package in "$@"; do
    status=$(dpkg-query -W -f='${db:Status-Status} ' "$package" 2>/dev/null) ||
      true
    [[ " $status" == *" installed "* ]] || echo "$package"
  done
}

as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  elif command -v sudo >/dev/null; then
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  else
    fail "installing packages needs root or sudo; missing: ${missing[*]}"
  fi
}

case ${1:-build} in
  build) wanted=("${build[@]}") ;;
  quickstart) wanted=("${quickstart[@]}") ;;
  package) wanted=("${package[@]}") ;;
  cross) wanted=("${cross[@]}") ;;
  test) wanted=("${test[@]}") ;;
  full) wanted=("${full[@]}") ;;
  bench) wanted=("${bench[@]}") ;;
  *)
    fail "unknown set '$1', expected build, quickstart, package, cross, test, \
full or bench" 2
    ;;
esac
[[ -n $(command -v dpkg-query) && -n $(command -v apt-get) ]] ||
  fail "needs Debian 12's apt-get; elsewhere install: ${wanted[*]}"

mapfile -t missing < <(missing_of "${wanted[@]}")
[[ ${#missing[@]} -gt 0 ]] || exit 0

echo "Installing: ${missing[*]}"
as_root apt-get -qq update
# Debian's cross compilers and gcc-multilib exclude each other: whoever has one
# is not to lose it without being asked.
as_root apt-get -qq -y --no-install-recommends --no-remove install "${missing[@]}" ||
  fail "apt says why; where gcc-multilib is, use another machine or a chroot for \
g++-aarch64-linux-gnu"
