// SPDX-License-Identifier: Apache-2.0
//
// Appends formatted text to a string. Unlike fmt::format_to(), this does not
// compile the formatting code in each file that uses it, which takes two
// seconds.
#pragma once

#include <string>

#include <fmt/core.h>

namespace heapprof {

void AppendFormatted(std::string& out, fmt::string_view format,
                     fmt::format_args args);

template <typename... Args>
void AppendFormat(std::string& out, fmt::format_string<Args...> format,
                  Args&&... args) {
  AppendFormatted(out, format, fmt::make_format_args(args...));
}

}  // namespace heapprof
