// SPDX-License-Identifier: Apache-2.0
//
// Messages about files.
#pragma once

#include <string>
#include <string_view>

#include "heapprof/base/char_class.h"

namespace heapprof {

// Returns `message` with the path of its file before it, unless it begins with
// that path, as in "a.heap: an empty file" and "a.heap:7: cut off".
inline std::string AboutFile(std::string_view path, std::string_view message) {
  const bool has_path =
      message.starts_with(path) && message.substr(path.size()).starts_with(':');
  std::string text;
  if (!has_path) (text += path) += ": ";
  return text += message;
}

// Returns a message without numbers and without the path of its file, so that
// such messages about other files have the same text.
inline std::string CommonText(std::string_view path, std::string_view message) {
  std::string text;
  while (!message.empty()) {
    if (!path.empty() && message.starts_with(path)) {
      message.remove_prefix(path.size());
      continue;
    }
    if (!IsDigit(message.front())) text += message.front();
    message.remove_prefix(1);
  }
  return text;
}

}  // namespace heapprof
