// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/run_program.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "heapprof/base/argument_pointers.h"
#include "heapprof/base/as_text.h"
#include "heapprof/base/memory_file.h"
#include "heapprof/base/recorder_library.h"
#include "heapprof/base/split.h"
#include "heapprof/io/input_file.h"
#include "heapprof/io/output_file.h"
#include "heapprof/record/recorder_protocol.h"
#include "record/preload_bytes.h"
#include "record/public_folder.h"

namespace heapprof {
namespace {

// The signals that this process passes on while the program runs. Those of the
// terminal go to all processes of the job anyway.
constexpr int kForwarded[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
                              SIGUSR1, SIGUSR2, SIGALRM, SIGTSTP};

// Blocks the signals that WaitFor() takes. The destructor drops those that have
// come since.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigemptyset(&set_);
    for (const int number : kForwarded) sigaddset(&set_, number);
    sigaddset(&set_, SIGCHLD);
    // If SIGCHLD is ignored, the system keeps no exit status.
    std::signal(SIGCHLD, SIG_DFL);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() {
    const struct timespec now = {};
    while (sigtimedwait(&set_, nullptr, &now) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

  const sigset_t& set() const { return set_; }
  const sigset_t& before() const { return before_; }

 private:
  sigset_t set_ = {};
  sigset_t before_ = {};
};

// Starts the program with the signals that this process had before. Returns 0
// or an error number.
int Spawn(const ProgramCommand& command,
          std::span<const std::string> environment, const sigset_t& signals,
          pid_t& pid) {
  posix_spawnattr_t attributes;
  if (const int error = posix_spawnattr_init(&attributes)) return error;
  posix_spawnattr_setsigmask(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int error =
      posix_spawn(&pid, command.path.c_str(), nullptr, &attributes,
                  ArgumentPointers(command.arguments).data(),
                  ArgumentPointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  return error;
}

// Stops this process as `number` has stopped the program, until the shell
// continues both.
void StopLike(int number) {
  sigset_t stop = {};
  sigemptyset(&stop);
  sigaddset(&stop, number);
  raise(number);
  // A signal that was blocked stops the process here.
  sigset_t before = {};
  pthread_sigmask(SIG_UNBLOCK, &stop, &before);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// Returns what our library has written into the file at `path`, line by line.
std::vector<std::string> ReadReports(const std::string& path) {
  // Other users may write to the file, too.
  constexpr size_t kMostReports = 1 << 20;
  const auto written = InputFile::Open(path);
  if (!written) return {};
  return SplitNonEmpty(written->bytes().substr(0, kMostReports), '\n');
}

// Waits until the program ends, and passes signals on to it. Calls `look` now
// and then, until it returns true. Returns the program's status as waitpid()
// does.
int WaitFor(pid_t pid, const sigset_t& signals,
            const std::function<bool()>& look) {
  constexpr struct timespec kPause = {.tv_sec = 2, .tv_nsec = 0};
  bool is_looking = true;
  int status = 0;
  for (;;) {
    if (waitpid(pid, &status, WNOHANG | WUNTRACED) == pid) {
      if (!WIFSTOPPED(status)) return status;
      // This process must not stop before the program: the shell would take
      // the terminal back while the program still reads from it.
      if (const int number = WSTOPSIG(status); number != SIGSTOP) {
        StopLike(number);
        kill(pid, SIGCONT);
      }
      continue;
    }
    siginfo_t info = {};
    const int number = is_looking ? sigtimedwait(&signals, &info, &kPause)
                                  : sigwaitinfo(&signals, &info);
    if (number < 0 && is_looking) is_looking = !look();
    // The program has also sent it to itself if it sends it to its job.
    const bool is_of_job =
        info.si_code == SI_KERNEL || (number == SIGTSTP && info.si_pid == pid);
    if (number > 0 && number != SIGCHLD && !is_of_job) kill(pid, number);
  }
}

}  // namespace

std::vector<std::string> Failures(const std::vector<std::string>& reports) {
  std::vector<std::string> failures;
  std::set<std::string_view> known;
  for (const std::string& line : reports)
    if (line[0] == kFailureMark && known.insert(line).second)
      failures.push_back(line.substr(1));
  return failures;
}

Result<RecordedRun> RunProgram(
    const ProgramCommand& command,
    const std::function<std::vector<std::string>(const RecorderFiles&)>&
        make_environment,
    const std::function<void(const std::string&)>& on_failure) {
  const MemoryFile library(kRecorderLibrary.data()), reports("reports");
  if (library.fd() < 0 || reports.fd() < 0)
    return Fail(ErrorKind::kIo,
                fmt::format("cannot create a file in memory: {}",
                            std::strerror(errno)));
  if (auto written =
          WriteAll(library.fd(), AsText(PreloadBytes()), "a file in memory");
      !written)
    return std::unexpected(written.error());
  std::optional<PublicFolder> folder;
  if (geteuid() == 0) folder.emplace(AsText(PreloadBytes()));
  const RecorderFiles files =
      folder && folder->files() ? *folder->files()
                                : RecorderFiles{library.Path(), reports.Path()};
  const std::vector<std::string> environment = make_environment(files);
  const BlockedSignals blocked;
  RecordedRun run;
  if (const int error = Spawn(command, environment, blocked.before(), run.pid))
    return Fail(ErrorKind::kIo, fmt::format("cannot run {}: {}", command.path,
                                            std::strerror(error)));
  const int status = WaitFor(run.pid, blocked.set(), [&] {
    const auto failures = Failures(ReadReports(files.status));
    if (!failures.empty()) on_failure(failures.front());
    return !failures.empty();
  });
  constexpr int kBySignal = 128;
  run.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  run.exit_status =
      run.signal != 0 ? kBySignal + run.signal : WEXITSTATUS(status);
  run.reports = ReadReports(files.status);
  return run;
}

}  // namespace heapprof
