// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/dump_request.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <optional>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "heapprof/base/kernel_file.h"
#include "heapprof/io/input_file.h"
#include "heapprof/record/jemalloc_facts.h"
#include "heapprof/record/recorder_protocol.h"

namespace heapprof {
namespace {

class Connection {
 public:
  Connection() : fd_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() {
    if (fd_ >= 0) close(fd_);
  }

  // Connects to the socket of the process. Returns false on failure.
  bool Open(int process) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    const std::string name = fmt::format("{}{}", kSocketName, process);
    name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
    return fd_ >= 0 &&
           connect(fd_, reinterpret_cast<const sockaddr*>(&address),
                   static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                          name.size())) == 0;
  }

  // Returns true if the other side is this process. Anybody can take the name
  // of a socket.
  bool IsServedBy(int process) const {
    ucred peer = {};
    socklen_t size = sizeof peer;
    return getsockopt(fd_, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           peer.pid == process;
  }

  bool Send(std::string_view request) const {
    return send(fd_, request.data(), request.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(request.size());
  }

  // Returns what the other side sends until it closes the connection.
  std::string ReadAll() const {
    constexpr size_t kMost = 8192;
    std::string text;
    std::array<char, 1024> buffer;
    while (text.size() < kMost) {
      const ssize_t got = recv(fd_, buffer.data(), buffer.size(), 0);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      text.append(buffer.data(), static_cast<size_t>(got));
    }
    return text;
  }

 private:
  int fd_;
};

// Returns the prefix of the jemalloc in the program of this process.
std::string PrefixOf(int process) {
  const auto file = InputFile::Open(fmt::format("/proc/{}/exe", process));
  if (!file) return "";
  const auto jemalloc = FindJemallocIn(file->bytes());
  return jemalloc ? NamePrefix(*jemalloc) : "";
}

// True if the process was started with `text` in its environment. A forked
// process has the environment of its parent.
bool HasInEnvironment(int process, std::string_view text) {
  const auto environment =
      ReadKernelFile(fmt::format("/proc/{}/environ", process));
  return environment && environment->contains(text);
}

// Sends a request to the library in a recorded process. Returns the answer with
// a line feed; nothing if the process does not take requests.
std::optional<std::string> TryToAsk(int process, std::string_view request) {
  Connection connection;
  if (!connection.Open(process) || !connection.IsServedBy(process))
    return std::nullopt;
  return connection.Send(request) ? connection.ReadAll() : "";
}

// Returns the answer without its last line feed. A program that closes all its
// files closes the connection, too, so asks again.
Result<std::string> Ask(int process, std::string_view request) {
  constexpr int kTries = 5;
  constexpr std::chrono::milliseconds kPause(100);
  std::optional<std::string> answer;
  for (int i = 0; i < kTries; ++i) {
    struct stat status = {};
    if (stat(fmt::format("/proc/{}", process).c_str(), &status) != 0)
      return Fail(
          ErrorKind::kIo,
          answer ? fmt::format("process {} ended before it answered", process)
                 : fmt::format("there is no process {}", process));
    auto next = TryToAsk(process, request);
    if (!next && !answer)
      return Fail(
          ErrorKind::kNoData,
          HasInEnvironment(process, kSettingsVariable)
              ? fmt::format("process {} does not listen to 'heapprof record': "
                            "it is a child without --children, or has no "
                            "profiler",
                            process)
              : fmt::format("process {} was not started by 'heapprof record'",
                            process));
    answer = next.value_or("");
    if (answer->starts_with(kFailureMark))
      return Fail(ErrorKind::kIo, answer->substr(1, answer->size() - 2));
    if (answer->ends_with('\n')) return answer->substr(0, answer->size() - 1);
    if (status.st_uid != geteuid() && geteuid() != 0)
      return Fail(ErrorKind::kIo, fmt::format("process {} belongs to another "
                                              "user",
                                              process));
    std::this_thread::sleep_for(kPause);
  }
  return Fail(ErrorKind::kIo,
              fmt::format("process {} does not answer", process));
}

}  // namespace

Result<std::string> RequestDump(int process, DumpFiles files) {
  return Ask(process, files == DumpFiles::kDump ? kDumpRequest : kRssRequest);
}

Result<RecordingState> RequestState(int process) {
  const auto answer = Ask(process, kStateRequest);
  if (!answer) return std::unexpected(answer.error());
  const size_t end = answer->find('\n');
  if (end == answer->npos)
    return Fail(
        ErrorKind::kIo,
        fmt::format("process {} does not say how it is recorded", process));
  return RecordingState{.settings = answer->substr(0, end),
                        .prefix = answer->substr(end + 1)};
}

Debugger DebuggerHere() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("flags"))
      return line.contains(" amx_tile") ? Debugger::kLldb : Debugger::kGdb;
  return Debugger::kGdb;
}

std::string DumpCommand(int process, std::string_view prefix,
                        Debugger debugger) {
  constexpr std::string_view kGdb =
      R"x(gdb -p {} -batch -ex 'call (int){}mallctl("prof.dump",)x"
      R"x((void*)0,(void*)0,(void*)0,(long)0)')x";
  // Where the function has debug information, lldb insists on its types.
  constexpr std::string_view kLldb =
      R"x(lldb -p {} --batch -o 'expr (int){}mallctl("prof.dump",(void*)0,)x"
      R"x((unsigned long*)0,(void*)0,(unsigned long)0)' -o detach)x";
  return debugger == Debugger::kGdb ? fmt::format(kGdb, process, prefix)
                                    : fmt::format(kLldb, process, prefix);
}

std::string ActiveCommand(int process, std::string_view prefix,
                          Debugger debugger) {
  // gdb copies the text into the process, where it becomes two variables.
  constexpr std::string_view kGdb =
      R"x(gdb -p {} -batch -ex 'set $p=(char*)"0000000000000000"' )x"
      R"x(-ex 'set *(long*)($p+8)=1' -ex 'call (int){}mallctl()x"
      R"x("prof.active",$p,$p+8,(void*)0,(long)0)' -ex 'print (int)*$p')x";
  constexpr std::string_view kLldb =
      R"x(lldb -p {} --batch -o 'expr bool b=0; unsigned long n=1; )x"
      R"x((int){}mallctl("prof.active",(void*)&b,&n,(void*)0,)x"
      R"x((unsigned long)0); b' -o detach)x";
  return debugger == Debugger::kGdb ? fmt::format(kGdb, process, prefix)
                                    : fmt::format(kLldb, process, prefix);
}

std::string DebuggerCommand(int process) {
  if (!HasInEnvironment(process, "prof:true")) return "";
  return DumpCommand(process, PrefixOf(process), DebuggerHere());
}

}  // namespace heapprof
