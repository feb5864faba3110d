# SPDX-License-Identifier: Apache-2.0
#
# cmake -DINPUT=FILE -DOUTPUT=FILE -P embed_bytes.cmake: writes a C++ file with
# the bytes of a file.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUTPUT} "// Made from ${INPUT} by CMake.
#include \"record/preload_bytes.h\"

#include <span>

namespace heapprof {
namespace {

constexpr unsigned char kBytes[] = {
${bytes}};

}  // namespace

std::span<const unsigned char> PreloadBytes() { return kBytes; }

}  // namespace heapprof
")
