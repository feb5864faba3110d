// SPDX-License-Identifier: Apache-2.0
//
// In place of xz_decoder.cc, for a build without liblzma.
#include "io/stream_decoder.h"

namespace heapprof {

std::unique_ptr<StreamDecoder> MakeXzDecoder() { return nullptr; }

}  // namespace heapprof
