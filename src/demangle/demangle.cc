// SPDX-License-Identifier: Apache-2.0
#include "heapprof/demangle/demangle.h"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csetjmp>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

// Without this libiberty.h declares a basename() that conflicts with
// <string.h>.
#define HAVE_DECL_BASENAME 1
#include <demangle.h>

#include "heapprof/base/for_each.h"

namespace heapprof {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Mapped lazily; the nestings that fit into kMaxMangledLength need less than
// 16 MiB, the template copies that FitsStack() admits another 32 MiB.
constexpr size_t kStackSize = size_t{64} << 20;

// The printer reserves this many 16-byte entries on the stack, four times:
// the number of template argument lists times the number of references to
// template parameters.
constexpr size_t kMaxTemplateCopies = size_t{1} << 19;

// A name that keeps the demangler busy for this much CPU time is given up
// (ordinary ones take microseconds); so is the batch after kMaxStalls of them.
constexpr nanoseconds kMaxTimePerName = milliseconds(30);
constexpr nanoseconds kWatchInterval = milliseconds(10);
constexpr int kMaxStalls = 20;

// What threads take turns at. The parts do not depend on their number.
constexpr size_t kMaxParts = 16;
constexpr size_t kMinPartSize = 512;

// rustc numbers few lifetimes per binder, but the demangler counts up to any
// number, silently in the parts that it does not print.
constexpr uint64_t kMaxBoundLifetimes = 256;

// Checks a Rust v0 name (without "_R") for what rust_demangle_callback does
// not: it follows a back-reference to anywhere, so that one to itself uses up
// the stack. Here each refers to something of its kind that ended before, as
// rustc writes them. Following these, no character is entered twice on one
// way down, thus the depth is less than the length of the name.
class RustV0Checker {
 public:
  explicit RustV0Checker(std::string_view body)
      : body_(body), seen_(body.size(), 0) {}

  bool Accepts() {
    if (!Path()) return false;
    return next_ == body_.size() || Path();  // the instantiating crate
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

  // Wraps around like the demangler's own reading of it: crate hashes use all
  // 64 bits.
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
    if (Peek() < '0' || Peek() > '9') return false;
    if (!Eat('0')) {
      while (Peek() >= '0' && Peek() <= '9' && size <= body_.size())
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
  std::vector<uint8_t> seen_;  // by position: the kinds that were read there
  size_t next_ = 0;
};

// What the demanglers' callback fills; fixed storage, because the thread can
// be cancelled at any instruction of it.
struct Sink {
  std::array<char, kMaxDemangledLength> text;
  size_t size = 0;
  bool is_rust = false;
  bool is_full = false;      // something did not fit
  bool is_accepted = false;  // what the demangler says of the name
  std::jmp_buf overflow;
};

// Leaving the demangler early is the only way to stop a name that expands
// without end. It holds no memory then, with one exception: a decoded Unicode
// identifier of Rust's, which arrives in one piece. Pieces between two of
// these are ASCII.
void Append(const char* piece, size_t size, void* opaque) {
  Sink& sink = *static_cast<Sink*>(opaque);
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

bool IsMangled(std::string_view name) {
  return (name.starts_with("_Z") || name.starts_with("_R")) &&
         name.size() <= kMaxMangledLength && name.find('\0') == name.npos;
}

// "_ZN3foo17h0123456789abcdefE", which is valid C++ mangling as well.
bool MayBeRustLegacy(std::string_view name) {
  return name.starts_with("_ZN") && name.contains("17h");
}

// False for names for which the demangler would reserve too much stack.
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

// In the next two functions no object with a destructor may live: Append jumps
// back into them.

void CallRust(const char* mangled, Sink& sink) {
  // Without DMGL_NO_RECURSE_LIMIT, which only protects here: real paths are
  // not 1024 levels deep.
  if (setjmp(sink.overflow) == 0)
    sink.is_accepted = rust_demangle_callback(mangled, DMGL_PARAMS | DMGL_ANSI,
                                              Append, &sink) != 0;
}

// Can be cancelled at any instruction, as the demangler neither allocates nor
// locks. There are names for which it computes for years before it calls back:
// it looks for a parameter pack through all repetitions of a type.
//
// AddressSanitizer would not notice that this function and its callers have
// left the stack, and trip over what it wrote there around their variables.
[[gnu::no_sanitize_address]]
void CallCxx(const char* mangled, Sink& sink) {
  // The limit would refuse every name over 1024 characters.
  constexpr int kOptions = DMGL_PARAMS | DMGL_ANSI | DMGL_NO_RECURSE_LIMIT;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
  if (setjmp(sink.overflow) == 0)
    sink.is_accepted =
        cplus_demangle_v3_callback(mangled, kOptions, Append, &sink) != 0;
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, nullptr);
}

// Fills `sink`, or returns false for a name that cannot be demangled.
[[gnu::no_sanitize_address]]
bool Demangle(const std::string& mangled, bool is_rust, Sink& sink) {
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

[[gnu::no_sanitize_address]]
bool Demangle(const std::string& mangled, Sink& sink) {
  if (mangled.starts_with("_R")) {
    // The demangler ignores a suffix such as ".llvm.123".
    RustV0Checker checker(
        std::string_view(mangled).substr(2, mangled.find('.') - 2));
    return checker.Accepts() && Demangle(mangled, true, sink);
  }
  if (MayBeRustLegacy(mangled) && Demangle(mangled, true, sink)) return true;
  return FitsStack(mangled) && Demangle(mangled, false, sink);
}

// Of the stubs through which calls leave a file.
constexpr std::string_view kStubSuffix = "@plt";

struct Batch {
  std::span<const std::string_view> names;
  std::span<std::string> results;   // empty: not demangled
  std::atomic<size_t> current = 0;  // the name that is being worked on
  bool is_done = false;
};

void RunBatch(Batch& batch) {
  Sink sink;
  std::string mangled;
  for (size_t i = batch.current; i < batch.names.size(); batch.current = ++i) {
    if (!IsMangled(batch.names[i])) continue;
    mangled = batch.names[i];
    const bool is_stub = mangled.ends_with(kStubSuffix);
    if (is_stub) mangled.resize(mangled.size() - kStubSuffix.size());
    if (!Demangle(mangled, sink)) continue;
    batch.results[i].assign(sink.text.data(), sink.size);
    if (is_stub) batch.results[i] += kStubSuffix;
  }
  batch.is_done = true;
}

// The batches that threads take, one after the other.
class Queue {
 public:
  explicit Queue(std::span<Batch* const> batches) : batches_(batches) {}

  // nullptr if there are no more.
  Batch* Take() {
    const size_t i = next_++;
    return i < batches_.size() ? batches_[i] : nullptr;
  }

 private:
  std::span<Batch* const> batches_;
  std::atomic<size_t> next_ = 0;
};

struct Worker {
  Queue& queue;
  std::atomic<Batch*> batch = nullptr;  // at hand
};

void* Work(void* opaque) {
  auto& worker = *static_cast<Worker*>(opaque);
  while (Batch* batch = worker.queue.Take()) {
    worker.batch = batch;
    RunBatch(*batch);
  }
  return nullptr;
}

std::optional<pthread_t> Start(Worker& worker) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return std::nullopt;
  pthread_t thread;
  const bool started =
      pthread_attr_setstacksize(&attributes, kStackSize) == 0 &&
      pthread_create(&thread, &attributes, Work, &worker) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) return std::nullopt;
  return thread;
}

nanoseconds ToDuration(const timespec& time) {
  return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

// True if the thread ended within `timeout`.
bool JoinWithin(pthread_t thread, nanoseconds timeout) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const nanoseconds until = ToDuration(now) + timeout;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(until);
  const timespec deadline{.tv_sec = seconds.count(),
                          .tv_nsec = (until - seconds).count()};
  return pthread_clockjoin_np(thread, nullptr, CLOCK_MONOTONIC, &deadline) == 0;
}

// CPU time rather than elapsed time, so that a busy machine does not change
// the results.
std::optional<nanoseconds> CpuTime(pthread_t thread) {
  clockid_t clock{};
  timespec time{};
  if (pthread_getcpuclockid(thread, &clock) != 0 ||
      clock_gettime(clock, &time) != 0)
    return std::nullopt;
  return ToDuration(time);
}

// Where a worker is.
struct Place {
  Batch* batch = nullptr;
  size_t name = 0;

  bool operator==(const Place&) const = default;
};

Place PlaceOf(const Worker& worker) {
  Batch* batch = worker.batch;
  return {batch, batch == nullptr ? 0 : batch->current.load()};
}

// Waits for the end of the queue. A name that takes too long is skipped: the
// thread is cancelled, and false returned; its batch goes on behind that name.
bool Supervise(pthread_t thread, const Worker& worker) {
  Place watched = PlaceOf(worker);
  nanoseconds since{0};
  while (!JoinWithin(thread, kWatchInterval)) {
    const std::optional<nanoseconds> now = CpuTime(thread);
    if (!now) continue;  // it has just ended
    const Place place = PlaceOf(worker);
    if (place != watched) {
      watched = place;
      since = *now;
    } else if (*now - since > kMaxTimePerName) {
      pthread_cancel(thread);
      pthread_join(thread, nullptr);
      if (PlaceOf(worker) == watched) watched.batch->current = watched.name + 1;
      return false;
    }
  }
  return true;
}

// False if a name was skipped; the rest of the queue is still to be done.
bool RunToStall(Queue& queue) {
  Worker worker = {.queue = queue};
  const std::optional<pthread_t> thread = Start(worker);
  return !thread || Supervise(*thread, worker);
}

}  // namespace

std::vector<std::string> DemangleAll(std::span<const std::string_view> names,
                                     unsigned jobs) {
  std::vector<std::string> results(names.size());
  const size_t part_size =
      std::max(kMinPartSize, (names.size() + kMaxParts - 1) / kMaxParts);
  std::deque<Batch> parts;
  std::vector<Batch*> all;
  for (size_t first = 0; first < names.size(); first += part_size) {
    const size_t size = std::min(part_size, names.size() - first);
    if (std::ranges::any_of(names.subspan(first, size), IsMangled))
      all.push_back(&parts.emplace_back(
          names.subspan(first, size), std::span(results).subspan(first, size)));
  }
  Queue queue(all);
  std::atomic<int> stalls = 0;
  ForEach(std::min<size_t>(jobs, all.size()), jobs, [&](size_t) {
    while (!RunToStall(queue)) ++stalls;
  });
  for (Batch*& part : all) {
    while (!part->is_done && stalls < kMaxStalls) {
      Queue rest(std::span(&part, 1));
      if (RunToStall(rest)) break;
      ++stalls;
    }
  }
  for (size_t i = 0; i < names.size(); ++i)
    if (results[i].empty()) results[i] = names[i];
  return results;
}

}  // namespace heapprof
