// SPDX-License-Identifier: Apache-2.0
//
// Any bytes taken for a pprof profile must give a consistent profile or an
// error with a message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "parse/pprof_reader.h"
#include "support/check_valid.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  heapprof::Diagnostics diagnostics;
  const heapprof::Result<heapprof::Profile> profile =
      heapprof::ReadPprof(bytes, "fuzz", {}, diagnostics);
  if (profile ? !heapprof::CheckValid(*profile).empty()
              : profile.error().message.empty())
    std::abort();
  return 0;
}
