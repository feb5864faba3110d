// SPDX-License-Identifier: Apache-2.0
#include "cli/system/emergency_exit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "cli/system/exit_status.h"
#include "heapprof/io/mapped_range.h"
#include "heapprof/io/temporary_files.h"

namespace heapprof {
namespace {

std::atomic<const char*> current_stage = "starting";
std::atomic<bool> is_delivered = false;
std::atomic<bool> is_quiet = false;
std::atomic<bool> catches_crashes = false;
std::atomic<int> failure_status = kExitFailed;
std::atomic<int> delivered_status = kExitDone;
std::atomic<uint64_t> memory_limit = 0;  // 0: none

// A line of limited length. It allocates no memory, because it is used in
// signal handlers and when no memory is left.
class ErrorLine {
 public:
  template <typename... T>
  void Add(fmt::format_string<T...> format, T&&... values) {
    const auto result =
        fmt::format_to_n(text_.begin() + static_cast<ptrdiff_t>(size_), Room(),
                         format, std::forward<T>(values)...);
    size_ += std::min(result.size, Room());
  }
  // Adds a path. Replaces control characters by "?", because the terminal might
  // act on them.
  void AddPath(const char* path) {
    constexpr size_t kLongest = 1024;
    for (size_t i = 0; path[i] != '\0' && i < kLongest && Room() > 0; ++i) {
      const auto byte = static_cast<unsigned char>(path[i]);
      text_[size_++] = byte < ' ' || byte == 0x7f ? '?' : path[i];
    }
  }
  std::string_view text() const { return {text_.data(), size_}; }

 private:
  size_t Room() const { return text_.size() - size_; }

  std::array<char, 2048> text_;
  size_t size_ = 0;
};

// Returns only in the first thread that calls this, which must then end the
// process. All other threads wait here until the process ends.
void BeTheOnlyOne() {
  static std::atomic_flag is_ending;
  if (!is_ending.test_and_set()) return;
  for (;;) pause();
}

[[noreturn]] void Exit(const ErrorLine& reason) {
  RemoveTemporaryFiles();
  const bool delivered = is_delivered;
  ErrorLine line;
  if (isatty(STDERR_FILENO) == 1)
    line.Add("\r\x1b[K");  // clears the progress line
  line.Add("heapprof: {}{}\n",
           delivered ? "warning: no index for later runs: " : "error: ",
           reason.text());
  if (!delivered || !is_quiet)
    for (std::string_view left = line.text(); !left.empty();) {
      const ssize_t put = write(STDERR_FILENO, left.data(), left.size());
      if (put <= 0) break;
      left.remove_prefix(static_cast<size_t>(put));
    }
  _exit(delivered ? delivered_status : failure_status);
}

constexpr uint64_t kMebibyte = uint64_t{1} << 20;

// Converts to MiB and rounds up, so that no size is shown as "0 MiB".
uint64_t Mebibytes(uint64_t bytes) {
  return bytes / kMebibyte + (bytes % kMebibyte != 0 ? 1 : 0);
}

// Columns of /proc/self/statm.
constexpr int kAddressSpace = 0;
constexpr int kData = 5;  // private writable memory

// Returns a column of /proc/self/statm in bytes; nothing if unknown.
std::optional<uint64_t> BytesInUse(int column) {
  const int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::array<char, 64> text = {};
  const ssize_t size = read(fd, text.data(), text.size() - 1);
  close(fd);
  if (size <= 0) return std::nullopt;
  char* number = text.data();
  for (int i = 0; i < column; ++i) std::strtoull(number, &number, 10);
  return std::strtoull(number, nullptr, 10) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// Returns the limit on the address space (ulimit -v); nothing if there is none.
std::optional<uint64_t> BytesAllowed() {
  rlimit limit = {};
  const bool known = getrlimit(RLIMIT_AS, &limit) == 0;
  return known && limit.rlim_cur != RLIM_INFINITY
             ? std::optional<uint64_t>(limit.rlim_cur)
             : std::nullopt;
}

void AddLimit(uint64_t limit, const char* origin, ErrorLine& line) {
  constexpr uint64_t kKibibyte = 1 << 10;
  if (limit < kKibibyte)
    line.Add(", {} B is the limit ({})", limit, origin);
  else if (limit < kMebibyte)
    line.Add(", {} KiB is the limit ({})", limit / kKibibyte, origin);
  else
    line.Add(", {} MiB is the limit ({})", limit / kMebibyte, origin);
}

void AddUse(ErrorLine& line) {
  const auto allowed = BytesAllowed();
  const uint64_t limit = memory_limit;
  if (const auto in_use = BytesInUse(allowed ? kAddressSpace : kData))
    line.Add(", {} MiB are in use", Mebibytes(*in_use));
  if (allowed)
    AddLimit(*allowed, "ulimit -v", line);
  else if (limit != 0)
    AddLimit(limit, "--memory-limit", line);
  if (const auto largest = LargestMappedFile()) {
    line.Add("; the largest file read is ");
    line.AddPath(largest->path);
    line.Add(" ({} MiB)", Mebibytes(largest->size));
  }
}

[[noreturn]] void ExitOutOfMemoryOfSomeSize() { ExitOutOfMemory(0); }

// Called if an exception is not caught. bad_alloc means that no memory is left.
// No other exception is expected here, but a library may throw one.
[[noreturn]] void ExitOnException() {
  if (const std::exception_ptr exception = std::current_exception()) try {
      std::rethrow_exception(exception);
    } catch (const std::bad_alloc&) {
      ExitOutOfMemory(0);
    } catch (const std::exception& error) {
      BeTheOnlyOne();
      ErrorLine reason;
      reason.Add("internal, while {}: {}", current_stage.load(), error.what());
      Exit(reason);
    } catch (...) {
    }
  std::abort();
}

[[noreturn]] void OnCrash(int signal) {
  BeTheOnlyOne();
  ErrorLine reason;
  reason.Add("internal, while {}: signal {}", current_stage.load(), signal);
  Exit(reason);
}

void OnBusError(int signal, siginfo_t* info, void* /*context*/) {
  const auto file = FindMappedFile(info->si_addr);
  if (!file) {  // not caused by an input file, so it is our own bug
    if (catches_crashes) OnCrash(signal);
    ::signal(signal, SIG_DFL);  // die as without a handler
    return;
  }
  BeTheOnlyOne();
  ErrorLine reason;
  reason.AddPath(file->path);
  struct stat now = {};
  if (stat(file->path, &now) == 0 &&
      static_cast<uint64_t>(now.st_size) >= file->size)
    reason.Add(": can no longer be read, perhaps because of a disk error");
  else
    reason.Add(": was truncated while it was being read");
  Exit(reason);
}

// Ends the process by the signal, as without a handler: the kernel has removed
// the handler, and delivers the signal again when this returns.
void RemoveFilesAndEnd(int signal) {
  RemoveTemporaryFiles();
  raise(signal);
}

void RemoveFilesOnSignals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction action = {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_DFL) continue;  // as below nohup
    action.sa_handler = RemoveFilesAndEnd;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

constexpr size_t kGrownStack = 1 << 20;

[[gnu::noinline]] void GrowStackNow() {
  volatile char room[kGrownStack];
  room[0] = 0;
  static_cast<void>(room[0]);
}

// Makes the stack grow now by as much as the run will need. If it grew only
// later, the limit on the address space (ulimit -v) could prevent that, and the
// process would end in a segmentation fault without a message. Does nothing if
// the limit on the stack is small.
void GrowStack() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur < 4 * kGrownStack)
    return;
  const auto allowed = BytesAllowed();
  const auto in_use = BytesInUse(kAddressSpace);
  if (allowed && in_use && *in_use + 2 * kGrownStack > *allowed)
    ExitOutOfMemory(2 * kGrownStack);
  GrowStackNow();
}

}  // namespace

void SetUpEmergencyExit(int status) {
  failure_status = status;
  GrowStack();
  std::set_new_handler(ExitOutOfMemoryOfSomeSize);
  std::set_terminate(ExitOnException);
  struct sigaction action = {};
  action.sa_sigaction = OnBusError;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
  signal(SIGXFSZ, SIG_IGN);
  RemoveFilesOnSignals();
}

void NoteStage(const char* stage) { current_stage = stage; }

void NoteMemoryLimit(uint64_t limit) { memory_limit = limit; }

std::optional<uint64_t> DataInUse() { return BytesInUse(kData); }

void CatchCrashes() {
  catches_crashes = true;
  // After a stack overflow, the handler has no room on the normal stack.
  static std::array<char, 1 << 16> handler_stack;
  stack_t stack = {};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = OnCrash;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGSEGV, SIGILL, SIGFPE, SIGABRT})
    sigaction(signal, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

void NoteReportDelivered(int status, bool quiet) {
  delivered_status = status;
  is_quiet = quiet;
  is_delivered = true;
}

void ExitOutOfMemory(size_t wanted) noexcept {
  BeTheOnlyOne();
  ErrorLine reason;
  reason.Add("out of memory while {}", current_stage.load());
  if (wanted >= kMebibyte)
    reason.Add(": {} MiB more are needed", Mebibytes(wanted));
  AddUse(reason);
  Exit(reason);
}

}  // namespace heapprof
