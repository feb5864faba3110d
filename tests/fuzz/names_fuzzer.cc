// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a mangled name, and as a readable one: the forms of a name are
// bounded, and normalizing one twice changes nothing more.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "demangle/demangle_name.h"
#include "heapprof/demangle/demangle.h"
#include "heapprof/demangle/names.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heapprof;
  const std::string_view name(reinterpret_cast<const char*>(data), size);
  const std::string readable = DemangleAll({&name, 1}).front();
  if (readable != name && readable.size() > kMaxDemangledLength) std::abort();
  for (const std::string_view form : {name, std::string_view(readable)}) {
    const std::string normal = NormalizeName(form);
    if (NormalizeName(normal) != normal) std::abort();
    if (ShortName(form).size() > form.size() ||
        TemplateName(form).size() > form.size())
      std::abort();
    for (const NameStyle style :
         {NameStyle::kFull, NameStyle::kTemplate, NameStyle::kShort})
      StyledName(form, style);
  }
  return 0;
}
