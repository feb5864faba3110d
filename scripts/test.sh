#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks everything that must hold before a change goes in. Builds heapprof
# with warnings as errors, runs the end-to-end tests and the unit tests, and
# replays damaged dumps with sanitizers. Installs missing packages.
#
# usage: test.sh [--full]
#        test.sh --quick [MODULE...]
#
#   --full   also runs clang-tidy, the unit tests with sanitizers,
#            the tests of threads with ThreadSanitizer (two minutes to build),
#            the tests in browsers (a minute to install), the slow tests, and
#            tests with larger inputs (HEAPPROF_FULL=1)
#   --quick  what a developer needs after an edit: the unit tests of each
#            MODULE (base, io, dwarf ...), by default of those that git shows
#            as changed, and a few end-to-end tests. Installs nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=$(nproc)
readonly jobs

usage() {
  echo "usage: test.sh [--full | --quick [MODULE...]]" >&2
  exit 2
}

# step NAME COMMAND...: runs it, and says how long it took.
step() {
  local name=$1 start=$SECONDS
  shift
  "$@"
  echo "test.sh: $name took $((SECONDS - start)) s"
}

# configure PRESET OPTION...
configure() {
  cmake --preset "$1" --log-level=WARNING -DHEAPPROF_WERROR=ON "${@:2}"
}

# build TREE TARGET...
build() {
  cmake --build "build/$1" --parallel "$jobs" --target "${@:2}"
}

# The modules with files that differ from the last commit; if there are none,
# those that the last commit changed.
changed_modules() {
  local files
  files=$(git status --porcelain --untracked-files=all | cut -c 4-)
  [[ -n $files ]] || files=$(git diff --name-only HEAD~1)
  sed -nE 's,.*\b(src|tests|include/heapprof)/([a-z]+)/.*,\2,p' <<<"$files" |
    sort -u
}

quick() {
  local modules=("$@") module targets=(heapprof) tests
  tests='scripts\.(layers|format)'
  tests+='|e2e\.(holders\.gcc-O2|text_rows|metrics|collapsed|filters|info|jobs)'
  [[ $# -gt 0 ]] || mapfile -t modules < <(changed_modules)
  for module in "${modules[@]}"; do
    if [[ -d src/$module && -f tests/$module/CMakeLists.txt ]]; then
      targets+=("${module}_test")
      tests+="|unit\\.$module"
    elif [[ $# -gt 0 ]]; then
      echo "test.sh: src/ has no module '$module'" >&2
      exit 2
    fi
  done
  configure release -DHEAPPROF_TESTS=ON
  build release "${targets[@]}"
  # The dumps depend neither on heapprof nor on its tests.
  local options=()
  [[ ! -d build/release/tests/e2e/sampled ]] ||
    options=(--fixture-exclude-setup e2e_dumps)
  exec ctest --preset release --parallel "$jobs" \
    --tests-regex "^($tests)\$" "${options[@]}"
}

case ${1-} in
  --quick) quick "${@:2}" ;;
  --full) [[ $# -eq 1 ]] || usage ;;
  *) [[ $# -eq 0 ]] || usage ;;
esac

packages="test"
# Compiling with -O3 takes a third longer. Garbage collection takes g++ a tenth
# of its time, unless it waits until there is 1 GB (given in KB). build/release
# stays as it is.
tree="test"
optimization=(-B build/test
  -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG --param=ggc-min-heapsize=1048576")
targets=(program_tests fixtures)
sanitized=sanitized_tests
# The replays take a second; compiling with optimization takes twice as long.
sanitized_flags="-O0 -gline-tables-only"
options=(--label-exclude 'covered|browser|slow')
tsan_tree=
# Precompiled headers and several files per compilation halve the time of a
# build, but hide missing includes.
fast_build=ON
if [[ ${1-} == --full ]]; then
  export HEAPPROF_FULL=1
  packages="full"
  tree=release
  optimization=()
  tsan_tree=$PWD/build/tsan
  targets=(all)
  sanitized=unit_tests
  sanitized_flags="-O1 -gline-tables-only"
  options=()
  fast_build=OFF
fi

# The tests need many more packages than heapprof. These arrive while it is
# built.
step "installing what heapprof needs" bash scripts/install_deps.sh build
step "installing what the tests need" bash scripts/install_deps.sh "$packages" &
installing=$!
trap wait EXIT
fast=(-DHEAPPROF_PRECOMPILE="$fast_build" -DCMAKE_UNITY_BUILD="$fast_build"
  -DCMAKE_UNITY_BUILD_BATCH_SIZE=24)
configure release "${optimization[@]}" -DHEAPPROF_TESTS=OFF "${fast[@]}"
step "building heapprof" build "$tree" heapprof
wait "$installing"

configure release "${optimization[@]}" -DHEAPPROF_TESTS=ON \
  -DHEAPPROF_ASAN_TREE="$PWD/build/asan" -DHEAPPROF_TSAN_TREE="$tsan_tree"
step "building the tests of heapprof" build "$tree" "${targets[@]}"
configure asan -DHEAPPROF_TESTS=ON "${fast[@]}" \
  -DCMAKE_CXX_FLAGS_DEBUG="$sanitized_flags" \
  -DHEAPPROF_FIXTURE_TREE="$PWD/build/$tree"
step "building tests with AddressSanitizer" build asan "$sanitized"
if [[ -n $tsan_tree ]]; then
  configure tsan -DHEAPPROF_TESTS=ON \
    -DHEAPPROF_FIXTURE_TREE="$PWD/build/$tree"
  step "building the tests of threads with ThreadSanitizer" \
    build tsan thread_tests
fi

[[ $packages != full ]] || step "clang-tidy" bash scripts/tidy.sh --all
ctest --test-dir "build/$tree" --output-on-failure --parallel "$jobs" \
  "${options[@]}"
