// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/check.h"

namespace heapprof {

std::span<const CheckFormat> CheckFormats() {
  static constexpr CheckFormat kFormats[] = {
      {"text", WriteCheckText, WriteCheckErrorText},
      {"json", WriteCheckJson, WriteCheckErrorJson},
      {"markdown", WriteCheckMarkdown, WriteCheckErrorMarkdown},
      {"github", WriteCheckGithub, WriteCheckErrorGithub},
      {"junit", WriteCheckJunit, WriteCheckErrorJunit}};
  return kFormats;
}

}  // namespace heapprof
