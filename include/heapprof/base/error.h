// SPDX-License-Identifier: Apache-2.0
//
// How a function of the core says that it failed. The core describes, the
// command line prints: a message names the thing (file, option, module), the
// place (line or offset), what was expected and what was found. Lower case,
// no final period.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

namespace heapprof {

enum class ErrorKind : uint8_t {
  kUsage,      // the command line asks for something that cannot be done
  kIo,         // the operating system refused: open, read, write
  kBadFormat,  // recognised as this format, but damaged beyond use
  kNotMine,    // not this format at all: the next reader may try
  kNoData,     // the input is fine but lacks what was asked for
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
