#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What CMake makes of the sources where they are part of something else: in the
# repository of a package, and in the project of a program.
#
# usage: configure.sh SOURCE-TREE
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() {
  echo "configure.sh: $1" >&2
  exit 1
}

configure() {
  cmake -S "$1" -B "$2" -DHEAPPROF_TESTS=OFF >"$tmp/log" 2>&1 || {
    cat "$tmp/log" >&2
    fail "CMake failed"
  }
}

git init -q "$tmp/package"
cd "$tmp/package"
git -c user.name=test -c user.email=test@heapprof.invalid \
  commit -q --allow-empty -m 'package heapprof'
mkdir heapprof
(cd "$1" && cp -r CMakeLists.txt include proto src "$tmp/package/heapprof")

configure heapprof build
grep -qx 'CMAKE_BUILD_TYPE:STRING=Release' build/CMakeCache.txt ||
  fail "without a build type, the program is not optimized"
! grep '^revision' build/src/cli/version.cc ||
  fail "heapprof --version names a commit of the package"

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(server LANGUAGES C CXX)
include(CPack)
add_subdirectory(heapprof)
END
configure . server_build
grep -q 'CPACK_PACKAGE_NAME "server"' server_build/CPackConfig.cmake ||
  fail "cpack makes no package of the server, but one of heapprof"
grep -qx 'CMAKE_BUILD_TYPE:STRING=' server_build/CMakeCache.txt ||
  fail "the build type of the server is not its own"
