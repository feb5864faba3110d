// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/debuginfod.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <fmt/core.h>

namespace heapprof {
namespace {

// The functions of libdebuginfod. The library is loaded only if it is needed,
// because it depends on a whole HTTP client, and only runs with --debuginfod
// use it.
struct Library {
  void* handle = nullptr;
  decltype(&debuginfod_begin) begin = nullptr;
  decltype(&debuginfod_end) end = nullptr;
  decltype(&debuginfod_find_debuginfo) find_debuginfo = nullptr;
  decltype(&debuginfod_find_executable) find_executable = nullptr;

  template <typename Function>
  bool Load(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    return function != nullptr;
  }
  bool Load() {
    handle = dlopen(DEBUGINFOD_SONAME, RTLD_NOW | RTLD_LOCAL);
    return handle != nullptr && Load("debuginfod_begin", begin) &&
           Load("debuginfod_end", end) &&
           Load("debuginfod_find_debuginfo", find_debuginfo) &&
           Load("debuginfod_find_executable", find_executable);
  }
};

class Debuginfod : public BuildIdServers {
 public:
  Debuginfod(const Library& library, debuginfod_client* client)
      : library_(library), client_(client) {}
  Debuginfod(const Debuginfod&) = delete;
  Debuginfod& operator=(const Debuginfod&) = delete;
  // Does not unload the library, because its dependencies do not support
  // unloading.
  ~Debuginfod() override { library_.end(client_); }

  Result<std::string> Fetch(BuildIdFile file,
                            const std::string& build_id) override {
    if (broken_) return std::unexpected(*broken_);
    const auto find = file == BuildIdFile::kDebugInfo
                          ? library_.find_debuginfo
                          : library_.find_executable;
    char* found = nullptr;
    const int fd =
        find(client_, reinterpret_cast<const unsigned char*>(build_id.c_str()),
             /*build_id_len=*/0, &found);
    const std::unique_ptr<char, decltype(&std::free)> path(found, &std::free);
    if (fd >= 0) {
      close(fd);
      return std::string(path.get());
    }
    if (fd == -ENOENT) return Fail(ErrorKind::kNoData, "not found");
    broken_ = Error{ErrorKind::kIo,
                    fmt::format("not reachable: {}", std::strerror(-fd))};
    return std::unexpected(*broken_);
  }

 private:
  Library library_;
  debuginfod_client* client_;
  std::optional<Error> broken_;
};

}  // namespace

Result<std::unique_ptr<BuildIdServers>> OpenDebuginfod(std::string_view urls) {
  if (urls.find_first_not_of(' ') == urls.npos)
    return Fail(ErrorKind::kUsage,
                "--debuginfod needs the list of servers in DEBUGINFOD_URLS, "
                "which is not set");
  Library library;
  if (!library.Load())
    return Fail(ErrorKind::kIo,
                fmt::format("--debuginfod needs {}: install the package "
                            "libdebuginfod1",
                            DEBUGINFOD_SONAME));
  debuginfod_client* client = library.begin();
  if (client == nullptr)
    return Fail(ErrorKind::kIo,
                fmt::format("--debuginfod: {} does not start: {}",
                            DEBUGINFOD_SONAME, std::strerror(errno)));
  return std::make_unique<Debuginfod>(library, client);
}

}  // namespace heapprof
