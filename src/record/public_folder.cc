// SPDX-License-Identifier: Apache-2.0
#include "record/public_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>

#include <fmt/core.h>

#include "heapprof/base/recorder_library.h"
#include "heapprof/io/output_file.h"

namespace heapprof {
namespace {

// Whatever the umask is, the file has `mode`.
bool CreateFile(const std::string& path, mode_t mode, std::string_view bytes) {
  const int fd =
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (fd < 0) return false;
  const bool is_written =
      fchmod(fd, mode) == 0 && WriteAll(fd, bytes, path).has_value();
  return close(fd) == 0 && is_written;
}

}  // namespace

PublicFolder::PublicFolder(std::string_view library) {
  for (const char* parent : {"/tmp", "/var/tmp"}) {
    if (Create(parent, library)) return;
    Remove();
  }
}

PublicFolder::~PublicFolder() { Remove(); }

bool PublicFolder::Create(const std::string& parent, std::string_view library) {
  struct statvfs system = {};
  if (statvfs(parent.c_str(), &system) != 0 || system.f_flag & ST_NOEXEC)
    return false;
  std::string path = parent + "/heapprof-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) return false;
  path_ = path;
  files_ = {fmt::format("{}/{}", path_, kRecorderLibrary), path_ + "/reports"};
  return chmod(path_.c_str(), 0755) == 0 &&
         CreateFile(files_->library, 0644, library) &&
         CreateFile(files_->status, 0622, "");
}

void PublicFolder::Remove() {
  if (path_.empty()) return;
  unlink(files_->library.c_str());
  unlink(files_->status.c_str());
  rmdir(path_.c_str());
  path_.clear();
  files_.reset();
}

}  // namespace heapprof
