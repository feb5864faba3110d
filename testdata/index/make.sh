#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the binaries that tests/index/index_version_test.cc indexes. They are
# checked in: the index of a binary that each machine compiles for itself
# would differ with its compiler. Run this only to add or change a binary;
# then take the new digest from the failing test.
#
# usage: make.sh      (made with g++ 12.2 and rustc 1.95)
set -euo pipefail
cd "$(dirname "$0")"

# No path of this machine gets into the binaries.
g++ -std=c++17 -g -gdwarf-5 -O2 -fPIC -shared -nostdlib -fno-exceptions \
  -fno-stack-protector -fno-asynchronous-unwind-tables -Wl,--build-id=sha1 \
  "-ffile-prefix-map=$PWD=/sample" -o cc.so "$PWD/sample.cc"
g++ -std=c++17 -g -gdwarf-4 -O1 -fPIC -shared -nostdlib -fno-exceptions \
  -fno-stack-protector -fno-asynchronous-unwind-tables -Wl,--build-id=sha1 \
  "-ffile-prefix-map=$PWD=/sample" -o cc.dwarf4.so "$PWD/sample.cc"
rustc --edition 2021 --crate-type cdylib -g -C opt-level=2 -C panic=abort \
  -C link-args=-nostdlib "--remap-path-prefix=$PWD=/sample" \
  -o rust.so "$PWD/sample.rs"
ls -l ./*.so
