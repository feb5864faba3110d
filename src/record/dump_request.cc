// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/dump_request.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "heapprof/io/input_file.h"
#include "heapprof/record/jemalloc_facts.h"

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
    const std::string name = fmt::format("heapprof-record.{}", process);
    name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
    return connect(fd_, reinterpret_cast<const sockaddr*>(&address),
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

std::string ReadProcFile(int process, const char* name) {
  std::ifstream file(fmt::format("/proc/{}/{}", process, name),
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Returns the prefix of the jemalloc in the program of this process.
std::string PrefixOf(int process) {
  const auto file = InputFile::Open(fmt::format("/proc/{}/exe", process));
  if (!file) return "";
  for (const std::string_view prefix : {"_rjem_", "je_"})
    if (file->bytes().contains(fmt::format("{}mallctl", prefix) +
                               std::string(1, '\0')))
      return std::string(prefix);
  return "";
}

}  // namespace

Result<std::string> RequestDump(int process) {
  struct stat status = {};
  if (stat(fmt::format("/proc/{}", process).c_str(), &status) != 0)
    return Fail(ErrorKind::kIo, fmt::format("there is no process {}", process));
  Connection connection;
  if (!connection.Open(process) || !connection.IsServedBy(process))
    return Fail(ErrorKind::kNoData,
                fmt::format("process {} was not started by 'heapprof record'",
                            process));
  std::string answer = connection.ReadAll();
  if (!answer.ends_with('\n'))
    return Fail(ErrorKind::kIo,
                answer.empty() && status.st_uid != geteuid() && geteuid() != 0
                    ? fmt::format("process {} belongs to another user", process)
                    : fmt::format("process {} ended before its dump was made",
                                  process));
  answer.pop_back();
  if (answer.starts_with('!')) return Fail(ErrorKind::kIo, answer.substr(1));
  return answer;
}

std::string DebuggerCommand(int process) {
  if (!ReadProcFile(process, "environ").contains("prof:true")) return "";
  return fmt::format(
      "gdb -p {} -batch -ex 'call (int){}mallctl(\"prof.dump\","
      "(void*)0,(void*)0,(void*)0,(long)0)'",
      process, PrefixOf(process));
}

}  // namespace heapprof
