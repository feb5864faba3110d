// SPDX-License-Identifier: Apache-2.0
#include "heapprof/process/run_process.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <thread>

#include <fmt/core.h>

#include "heapprof/base/argument_pointers.h"
#include "heapprof/base/memory_file.h"
#include "heapprof/base/printable.h"

extern char** environ;

namespace heapprof {
namespace {

// Starts `command` with `streams` as its file descriptors 0 to 2. Returns 0 or
// an error number.
int Spawn(const ProcessCommand& command, const std::array<int, 3>& streams,
          pid_t& pid) {
  std::vector<std::string> arguments = {command.program};
  arguments.insert(arguments.end(), command.arguments.begin(),
                   command.arguments.end());
  posix_spawn_file_actions_t actions;
  if (const int error = posix_spawn_file_actions_init(&actions)) return error;
  int error = 0;
  for (int i = 0; i < 3 && error == 0; ++i)
    error = posix_spawn_file_actions_adddup2(
        &actions, streams[static_cast<size_t>(i)], i);
  if (error == 0)
    error = posix_spawnp(&pid, command.program.c_str(), &actions, nullptr,
                         ArgumentPointers(arguments).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

std::unexpected<Error> CannotRun(const ProcessCommand& command, int error) {
  const std::string why =
      error == ENOENT
          ? fmt::format("it is not installed; Debian's package is {}",
                        command.package)
          : std::strerror(error);
  return Fail(ErrorKind::kIo,
              fmt::format("cannot run {}: {}", command.program, why));
}

std::string_view FirstLine(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

// Describes an exit status other than success.
std::string DescribeStatus(int status, const std::string& messages) {
  std::string outcome =
      WIFSIGNALED(status)
          ? fmt::format("was killed by signal {}", WTERMSIG(status))
          : fmt::format("failed with status {}", WEXITSTATUS(status));
  if (const std::string_view line = FirstLine(messages); !line.empty())
    outcome += fmt::format(": {}", Printable(line));
  return outcome;
}

// Returns the error for a program that was started but failed.
std::unexpected<Error> Failed(const ProcessCommand& command,
                              const std::string& how) {
  return Fail(ErrorKind::kIo, fmt::format("{}{}{} {}", command.program,
                                          command.subject.empty() ? "" : " of ",
                                          command.subject, how));
}

// Says which limit of `command` is exceeded by a child that has run for
// `elapsed` and has written `out` and `err`. Returns nothing if none is.
std::optional<std::string> ExceededLimit(const ProcessCommand& command,
                                         std::chrono::nanoseconds elapsed,
                                         const MemoryFile& out,
                                         const MemoryFile& err) {
  if (command.time_limit.count() != 0 && elapsed > command.time_limit)
    return fmt::format(
        "did not end within {:.4g} s",
        std::chrono::duration<double>(command.time_limit).count());
  if (command.output_limit != 0 &&
      std::max(out.Size(), err.Size()) > command.output_limit)
    return fmt::format("wrote more than {} bytes", command.output_limit);
  return std::nullopt;
}

// Waits until a child ends and returns its exit status. If the child exceeds a
// limit, kills it and returns an error.
Result<int> WaitFor(pid_t pid, const ProcessCommand& command,
                    const MemoryFile& out, const MemoryFile& err) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::nanoseconds kLongestNap =
      std::chrono::milliseconds(20);
  const bool is_limited =
      command.time_limit.count() != 0 || command.output_limit != 0;
  const Clock::time_point start = Clock::now();
  int status = 0;
  while (true) {
    const pid_t ended = waitpid(pid, &status, is_limited ? WNOHANG : 0);
    if (ended == pid) break;
    if (ended < 0 && errno != EINTR) return CannotRun(command, errno);
    if (ended < 0) continue;
    const std::chrono::nanoseconds elapsed = Clock::now() - start;
    if (const auto excess = ExceededLimit(command, elapsed, out, err)) {
      kill(pid, SIGKILL);
      while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
      }
      return Failed(command, *excess + ": stopped");
    }
    // Sleep for an eighth of the time so far, so that the end of a quick
    // program is noticed soon, and a slow program is not checked often.
    std::this_thread::sleep_for(std::min(elapsed / 8, kLongestNap));
  }
  // Check once more, because the program may have written a lot between the
  // last check and its end.
  if (const auto excess = ExceededLimit(command, {}, out, err))
    return Failed(command, *excess + ": stopped");
  return status;
}

}  // namespace

Result<std::string> RunProcess(const ProcessCommand& command,
                               std::string_view input) {
  // The child never has to wait for a file. With pipes, this process would have
  // to read and write at the right times and to handle SIGPIPE.
  MemoryFile in("input"), out("output"), err("messages");
  if (in.fd() < 0 || out.fd() < 0 || err.fd() < 0 || !in.Fill(input))
    return CannotRun(command, errno);
  pid_t pid = 0;
  if (const int error = Spawn(command, {in.fd(), out.fd(), err.fd()}, pid))
    return CannotRun(command, error);
  const auto status = WaitFor(pid, command, out, err);
  if (!status) return std::unexpected(status.error());
  std::string output, messages;
  if (!out.ReadAll(output) || !err.ReadAll(messages))
    return CannotRun(command, errno);
  if (*status != 0) return Failed(command, DescribeStatus(*status, messages));
  return output;
}

}  // namespace heapprof
