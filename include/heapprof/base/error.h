// SPDX-License-Identifier: Apache-2.0
//
// How functions of the core report failure. They only describe the error; the
// command line prints it. A message names the thing (file, option, module) and
// the place (line or offset), says what was expected and what was found, starts
// in lower case and has no final period.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

namespace heapprof {

enum class ErrorKind : uint8_t {
  kUsage,        // the command line asks for something that cannot be done
  kIo,           // the operating system refused: open, read, write
  kBadFormat,    // this format, but too damaged to use
  kOtherFormat,  // not this format: the next reader may try
  kNoData,       // the input is fine but lacks the requested data
};

struct Error {
  ErrorKind kind = ErrorKind::kIo;
  std::string message;
};

template <typename T>
using Result = std::expected<T, Error>;

// Shorthand for `return Fail(kind, fmt::format(...))`.
inline std::unexpected<Error> Fail(ErrorKind kind, std::string message) {
  return std::unexpected(Error{kind, std::move(message)});
}

}  // namespace heapprof
