// SPDX-License-Identifier: Apache-2.0
//
// The outputs of `heapprof explain`. The one for people:
//
//   RSS 148.4 MiB = jemalloc 130.5 + other 17.9
//
//     live heap                  47.1 MiB  31.7%  ███████            exact
//     free regions in slabs      81.1 MiB  54.7%  ████████████       exact
//     never touched              -6.2 MiB  -4.2%                     exact
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "heapprof/explain/waterfall.h"

namespace heapprof {

inline constexpr int kExplainSchemaVersion = 1;

struct ExplainTextOptions {
  size_t width = 0;  // of the terminal; 0: 80 columns
  // Of the terminal. If the text has more, it is shortened. 0: no limit.
  size_t rows = 0;
  bool color = false;
};

std::string WriteExplainText(const Waterfall& waterfall,
                             const ExplainTextOptions& options);
// One page that loads nothing and has no scripts.
std::string WriteExplainHtml(const Waterfall& waterfall,
                             std::string_view version);
// For a ticket or an assistant.
std::string WriteExplainMarkdown(const Waterfall& waterfall);
// The schema is in proto/heapprof.schema.json.
std::string WriteExplainJson(const Waterfall& waterfall);

}  // namespace heapprof
