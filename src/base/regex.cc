// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <array>
#include <utility>

#include <fmt/core.h>
#include <pcre2.h>

#include "heapprof/base/out_of_memory.h"

namespace heapprof {
namespace {

// The most backtracking steps in one match. Sensible patterns need far fewer.
// So many steps take a fraction of a second.
constexpr uint32_t kMatchLimit = 2'000'000;
constexpr uint32_t kHeapLimitKib = 64 * 1024;
// Sizes of the stack on which a pattern that is compiled to machine code runs.
// A match that needs more is interpreted.
constexpr size_t kJitStackStart = 32 * 1024;
constexpr size_t kJitStackLimit = 1024 * 1024;

struct Free {
  void operator()(pcre2_code* p) const { pcre2_code_free(p); }
  void operator()(pcre2_compile_context* p) const {
    pcre2_compile_context_free(p);
  }
  void operator()(pcre2_match_context* p) const { pcre2_match_context_free(p); }
  void operator()(pcre2_match_data* p) const { pcre2_match_data_free(p); }
  void operator()(pcre2_jit_stack* p) const { pcre2_jit_stack_free(p); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;

template <typename T>
Owned<T> Own(T* p) {
  if (p == nullptr) FailAllocation();
  return Owned<T>(p);
}

std::string MessageOf(int code) {
  std::array<PCRE2_UCHAR, 256> text;
  if (pcre2_get_error_message(code, text.data(), text.size()) < 0)
    return fmt::format("PCRE2 error {}", code);
  return reinterpret_cast<const char*>(text.data());
}

PCRE2_SPTR Bytes(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR>(text.data());
}

}  // namespace

struct Regex::Compiled {
  Owned<pcre2_code> code;
  Owned<pcre2_match_context> context;
  Owned<pcre2_jit_stack> stack;
  Owned<pcre2_match_data> match;
};

Regex::Regex(std::string_view option, std::string_view pattern,
             std::unique_ptr<Compiled> compiled)
    : option_(option), pattern_(pattern), compiled_(std::move(compiled)) {}
Regex::Regex(Regex&& other) noexcept = default;
Regex& Regex::operator=(Regex&& other) noexcept = default;
Regex::~Regex() = default;

Result<Regex> Regex::Compile(std::string_view option,
                             std::string_view pattern) {
  const auto compile_context = Own(pcre2_compile_context_create(nullptr));
  pcre2_set_newline(compile_context.get(), PCRE2_NEWLINE_LF);
  // No UTF-8, because in jeprof, Perl treats patterns and names as bytes.
  constexpr uint32_t kOptions = PCRE2_NEVER_UTF | PCRE2_NEVER_BACKSLASH_C;
  int error = 0;
  size_t offset = 0;
  Owned<pcre2_code> code(pcre2_compile(Bytes(pattern), pattern.size(), kOptions,
                                       &error, &offset, compile_context.get()));
  if (code == nullptr && error == PCRE2_ERROR_HEAP_FAILED) FailAllocation();
  if (code == nullptr)
    return Fail(ErrorKind::kUsage,
                fmt::format("{}={:.200}: {}, at character {}", option, pattern,
                            MessageOf(error), offset + 1));
  // This may fail, because some systems forbid new machine code. PCRE2 then
  // interprets the pattern.
  pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);
  auto context = Own(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(context.get(), kMatchLimit);
  pcre2_set_heap_limit(context.get(), kHeapLimitKib);
  Owned<pcre2_jit_stack> stack(
      pcre2_jit_stack_create(kJitStackStart, kJitStackLimit, nullptr));
  pcre2_jit_stack_assign(context.get(), nullptr, stack.get());
  auto match = Own(pcre2_match_data_create(1, nullptr));
  return Regex(option, pattern,
               std::make_unique<Compiled>(std::move(code), std::move(context),
                                          std::move(stack), std::move(match)));
}

Result<bool> Regex::Matches(std::string_view subject) const {
  const auto match = [&](uint32_t options) {
    return pcre2_match(compiled_->code.get(), Bytes(subject), subject.size(), 0,
                       options, compiled_->match.get(),
                       compiled_->context.get());
  };
  int result = match(0);
  if (result == PCRE2_ERROR_JIT_STACKLIMIT) result = match(PCRE2_NO_JIT);
  if (result == PCRE2_ERROR_NOMEMORY) FailAllocation();
  if (result >= 0) return true;
  if (result == PCRE2_ERROR_NOMATCH) return false;
  const bool is_endless = result == PCRE2_ERROR_RECURSELOOP;
  return Fail(ErrorKind::kUsage,
              fmt::format("{:.200} {} '{:.60}' ({})", Text(),
                          is_endless ? "calls itself without end, for"
                                     : "takes too long to match",
                          subject, MessageOf(result)));
}

}  // namespace heapprof
