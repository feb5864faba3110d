// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/check.h"

namespace heapprof {

std::span<const CheckFormat> CheckFormats() {
  static constexpr CheckFormat kFormats[] = {{"text", WriteCheckText},
                                             {"json", WriteCheckJson},
                                             {"markdown", WriteCheckMarkdown},
                                             {"github", WriteCheckGithub},
                                             {"junit", WriteCheckJunit}};
  return kFormats;
}

}  // namespace heapprof
