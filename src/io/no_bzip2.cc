// SPDX-License-Identifier: Apache-2.0
//
// In place of bzip2_decoder.cc, for a build without bzip2.
#include "io/stream_decoder.h"

namespace heapprof {

std::unique_ptr<StreamDecoder> MakeBzip2Decoder() { return nullptr; }

}  // namespace heapprof
