// SPDX-License-Identifier: Apache-2.0
#include "demangle/demangle_name.h"

#include <pthread.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

// Without this macro, libiberty.h, which demangle.h includes, declares a
// basename() that conflicts with <string.h>.
#define HAVE_DECL_BASENAME 1
#include <demangle.h>

#include "heapprof/base/char_class.h"
#include "heapprof/demangle/demangle.h"
#include "heapprof/demangle/rust_mangling.h"

namespace heapprof {
namespace {

// libiberty's printer reserves four arrays on the stack, with entries of 16
// bytes. The number of entries of each array is the number of template argument
// lists in the name times the number of references to template parameters in
// it. Names that need more than kMaxTemplateCopies entries per array are
// rejected.
constexpr size_t kMaxTemplateCopies = size_t{1} << 19;

// A Rust v0 name states how many lifetimes each binder ("for<'a, 'b>") has.
// rustc writes small numbers. Large ones are rejected, because the demangler
// loops once per lifetime, even for parts of the name that it does not print.
constexpr uint64_t kMaxBoundLifetimes = 256;

// Checks a Rust v0 name (without "_R") for errors that rust_demangle_callback()
// misses. That function follows back-references to any position. Therefore a
// back-reference to itself would make it recurse until the stack is used up.
// The checker accepts a back-reference only if it refers to an earlier,
// finished part of the same kind; rustc writes no others. Then no character is
// visited twice on one path of the recursion, so the recursion is less deep
// than the name is long.
class RustV0Checker {
 public:
  explicit RustV0Checker(std::string_view body)
      : body_(body), seen_(body.size(), 0) {}

  bool Accepts() {
    if (!Path()) return false;
    return next_ == body_.size() ||
           Path();  // followed by the instantiating crate
  }

 private:
  enum Kind : uint8_t { kPath = 1, kType = 2, kConst = 4 };

  char Peek() const { return next_ < body_.size() ? body_[next_] : '\0'; }

  char Next() {
    const char c = Peek();
    if (c != '\0') ++next_;
    return c;
  }

  bool Eat(char c) {
    if (Peek() != c) return false;
    ++next_;
    return true;
  }

  // Reads a base-62 number. If the number overflows, it wraps around as in the
  // demangler, because the hashes of crates use all 64 bits.
  std::optional<uint64_t> Integer62() {
    if (Eat('_')) return 0;
    uint64_t value = 0;
    while (!Eat('_')) {
      const char c = Next();
      value *= 62;
      if (c >= '0' && c <= '9')
        value += static_cast<uint64_t>(c - '0');
      else if (c >= 'a' && c <= 'z')
        value += static_cast<uint64_t>(c - 'a') + 10;
      else if (c >= 'A' && c <= 'Z')
        value += static_cast<uint64_t>(c - 'A') + 36;
      else
        return std::nullopt;
    }
    return value + 1;
  }

  bool Disambiguator() { return !Eat('s') || Integer62(); }

  bool Identifier() {
    Eat('u');
    size_t size = 0;
    if (!IsDigit(Peek())) return false;
    if (!Eat('0')) {
      while (IsDigit(Peek()) && size <= body_.size())
        size = size * 10 + static_cast<size_t>(Next() - '0');
    }
    Eat('_');
    if (size > body_.size() - next_) return false;
    next_ += size;
    return true;
  }

  bool Binder() {
    if (!Eat('G')) return true;
    const std::optional<uint64_t> count = Integer62();
    return count && *count < kMaxBoundLifetimes;
  }

  bool BackReference(int kinds) {
    const std::optional<uint64_t> target = Integer62();
    return target && *target < body_.size() && (seen_[*target] & kinds) != 0;
  }

  bool Path() {
    const size_t start = next_;
    if (!PathBody()) return false;
    seen_[start] |= kPath;
    return true;
  }

  bool PathBody() {
    switch (Next()) {
      case 'C':
        return Disambiguator() && Identifier();
      case 'N':
        return Next() != '\0' && Path() && Disambiguator() && Identifier();
      case 'M':
        return Disambiguator() && Path() && Type();
      case 'X':
        return Disambiguator() && Path() && Type() && Path();
      case 'Y':
        return Type() && Path();
      case 'I':
        return Path() && UntilEnd(&RustV0Checker::GenericArgument);
      case 'B':
        return BackReference(kPath);
      default:
        return false;
    }
  }

  bool Type() {
    const size_t start = next_;
    if (!TypeBody()) return false;
    seen_[start] |= kType;
    return true;
  }

  bool TypeBody() {
    const char tag = Peek();
    if (tag >= 'a' && tag <= 'z') return Next() != '\0';
    switch (tag) {
      case 'R':
      case 'Q':
        ++next_;
        return (!Eat('L') || Integer62()) && Type();
      case 'P':
      case 'O':
      case 'S':
        ++next_;
        return Type();
      case 'A':
        ++next_;
        return Type() && Const();
      case 'T':
        ++next_;
        return UntilEnd(&RustV0Checker::Type);
      case 'F':
        ++next_;
        return FunctionType();
      case 'D':
        ++next_;
        return Binder() && UntilEnd(&RustV0Checker::DynTrait) && Eat('L') &&
               Integer62();
      case 'B':
        ++next_;
        return BackReference(kType | kPath);
      default:
        return Path();
    }
  }

  bool FunctionType() {
    if (!Binder()) return false;
    Eat('U');
    if (Eat('K') && !Eat('C') && !Identifier()) return false;
    return UntilEnd(&RustV0Checker::Type) && Type();
  }

  bool DynTrait() {
    if (!Path()) return false;
    while (Eat('p'))
      if (!Identifier() || !Type()) return false;
    return true;
  }

  bool Const() {
    const size_t start = next_;
    if (Eat('B')) {
      if (!BackReference(kConst)) return false;
    } else if (!Eat('p')) {
      if (Next() == '\0') return false;
      const size_t end = body_.find('_', next_);
      if (end == body_.npos) return false;
      next_ = end + 1;
    }
    seen_[start] |= kConst;
    return true;
  }

  bool GenericArgument() {
    if (Eat('L')) return Integer62().has_value();
    return Eat('K') ? Const() : Type();
  }

  bool UntilEnd(bool (RustV0Checker::*item)()) {
    while (!Eat('E'))
      if (!(this->*item)()) return false;
    return true;
  }

  std::string_view body_;
  std::vector<uint8_t> seen_;  // by position: kinds of the parts there
  size_t next_ = 0;
};

// The demangler calls this function with each piece of output. If a piece does
// not fit, this function jumps out of the demangler, because nothing else stops
// a name that expands without end. The jump leaks no memory, because the
// demangler normally holds none during this call. The exception is a Unicode
// identifier of Rust, which the demangler has allocated and passes as one
// piece. In that case, the jump happens only at a later piece that is all
// ASCII.
void Append(const char* piece, size_t size, void* opaque) {
  DemangleSink& sink = *static_cast<DemangleSink*>(opaque);
  if (!sink.is_full && size <= sink.text.size() - sink.size) {
    std::copy_n(piece, size, sink.text.data() + sink.size);
    sink.size += size;
    return;
  }
  sink.is_full = true;
  const bool is_ascii =
      std::all_of(piece, piece + size, [](char c) { return (c & 0x80) == 0; });
  if (!sink.is_rust || is_ascii) std::longjmp(sink.overflow, 1);
}

// False if the demangler would reserve too much stack for this name. Counts the
// template argument lists ('I') and the references ('R' or 'O') to template
// parameters or substitutions ('T' or 'S'). The counts may be too high, because
// the characters may also be part of an identifier.
bool FitsStack(std::string_view name) {
  const auto lists = static_cast<size_t>(std::ranges::count(name, 'I'));
  if (lists * name.size() <= kMaxTemplateCopies) return true;
  size_t references = 0;
  for (size_t i = 1; i < name.size(); ++i) {
    if ((name[i] == 'T' || name[i] == 'S') &&
        (name[i - 1] == 'R' || name[i - 1] == 'O'))
      ++references;
  }
  return lists * references <= kMaxTemplateCopies;
}

// The next two functions must not contain objects with destructors, because
// Append() and OnTimeIsUp() (in demangle_here.cc) jump back into them.

void CallRust(const char* mangled, DemangleSink& sink) {
  // Keep the demangler's recursion limit of 1024 levels. It does no harm here,
  // because real Rust paths are not that deep.
  if (setjmp(sink.overflow) == 0)
    sink.is_accepted = rust_demangle_callback(mangled, DMGL_PARAMS | DMGL_ANSI,
                                              Append, &sink) != 0;
}

// The thread can be cancelled at any instruction of the demangler, because the
// demangler neither allocates nor locks. Cancelling is necessary because for
// some names the demangler would compute for years before it calls Append(): it
// searches for a parameter pack in a type again each time that the type is
// repeated.
//
// AddressSanitizer does not instrument this function. It would not notice when
// a jump or a cancellation removes the stack frames of this function and its
// callers, so it would later report false errors because of the markers that it
// had put around their variables.
[[gnu::no_sanitize_address]]
void CallCxx(const char* mangled, DemangleSink& sink) {
  // Without DMGL_NO_RECURSE_LIMIT, every name longer than 1024 characters would
  // be rejected.
  constexpr int kOptions = DMGL_PARAMS | DMGL_ANSI | DMGL_NO_RECURSE_LIMIT;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
  if (setjmp(sink.overflow) == 0) {
    sink.may_jump_out = 1;
    sink.is_accepted =
        cplus_demangle_v3_callback(mangled, kOptions, Append, &sink) != 0;
  }
  sink.may_jump_out = 0;
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, nullptr);
}

// Demangles a name into `sink`. Returns false if the name cannot be demangled.
[[gnu::no_sanitize_address]]
bool Demangle(const std::string& mangled, bool is_rust, DemangleSink& sink) {
  sink.size = 0;
  sink.is_rust = is_rust;
  sink.is_full = false;
  sink.is_accepted = false;
  if (is_rust)
    CallRust(mangled.c_str(), sink);
  else
    CallCxx(mangled.c_str(), sink);
  return sink.is_accepted && !sink.is_full;
}

}  // namespace

bool CanDemangle() { return true; }

bool IsMangled(std::string_view name) {
  return (name.starts_with("_Z") || IsRustV0(name)) &&
         name.size() <= kMaxMangledLength && name.find('\0') == name.npos;
}

[[gnu::no_sanitize_address]]
bool DemangleName(const std::string& mangled, DemangleSink& sink) {
  if (IsRustV0(mangled)) {
    // The demangler ignores a suffix such as ".llvm.123", so the checker does
    // not get it.
    RustV0Checker checker(
        std::string_view(mangled).substr(2, mangled.find('.') - 2));
    return checker.Accepts() && Demangle(mangled, true, sink);
  }
  if (MayBeRust(mangled) && Demangle(mangled, true, sink)) return true;
  return FitsStack(mangled) && Demangle(mangled, false, sink);
}

}  // namespace heapprof
