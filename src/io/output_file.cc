// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/output_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "heapprof/io/pipe.h"
#include "heapprof/io/temporary_files.h"
#include "io/io_error.h"

namespace heapprof {
namespace {

constexpr mode_t kDefaultMode = 0666;

mode_t ReadUmask() {
  const mode_t mask = umask(0);
  umask(mask);
  return mask;
}

// Reads it only once, because it can only be read by changing it, and another
// thread must not see that.
mode_t CurrentUmask() {
  static const mode_t mask = ReadUmask();
  return mask;
}

// Returns a path by which linkat() finds an open file that has no name. The
// path works only if /proc is mounted.
std::string DescriptorPath(int fd) {
  return fmt::format("/proc/self/fd/{}", fd);
}

std::string DirectoryOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == path.npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Returns the beginning of a name beside `path` that may be `length` longer.
std::string BeginningOfName(const std::string& path, size_t length) {
  const size_t name = path.rfind('/') + 1;
  return path.substr(0, std::min(path.size(), name + NAME_MAX - length));
}

// Returns where `path` leads, as the shell's ">" does: also through symbolic
// links to what does not exist yet.
std::string FollowLinks(std::string path) {
  constexpr int kMostLinks = 40;  // as in Linux
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code error;
    const auto target = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = std::filesystem::path(DirectoryOf(path)) / target;
  }
  return path;
}

// Creates a file without a name. The file disappears when it is closed, unless
// it has been given a name by then. Returns -1 if the file system does not
// support unnamed files or /proc is missing.
int OpenUnnamed(const std::string& directory) {
  const int fd =
      open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, S_IRUSR);
  if (fd < 0 || access(DescriptorPath(fd).c_str(), F_OK) == 0) return fd;
  close(fd);
  return -1;
}

}  // namespace

Result<void> WriteAll(int fd, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t put = write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return IoError(name, "write");
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  return {};
}

Result<OutputFile> OutputFile::Create(const std::string& path) {
  OutputFile file(path);
  struct stat status = {};
  const bool exists = stat(path.c_str(), &status) == 0;
  // Not so if the system protects from following links of others in /tmp.
  const bool may_follow = exists || errno == ENOENT;
  // Without the set-user-id bit and the like, which were not meant for these
  // bytes.
  file.mode_ = exists ? status.st_mode & 0777 : kDefaultMode & ~CurrentUmask();
  Result<void> opened;
  if (exists && S_ISDIR(status.st_mode))
    return Fail(ErrorKind::kIo,
                fmt::format("{}: a folder; name a file in it", path));
  if (exists && !S_ISREG(status.st_mode)) {
    opened = file.OpenDevice();
  } else {
    file.target_ = may_follow ? FollowLinks(path) : path;
    opened = file.OpenTemporary();
  }
  if (!opened) return std::unexpected(opened.error());
  return file;
}

Result<OutputFile> OutputFile::Write(const std::string& path,
                                     std::string_view bytes) {
  auto file = Create(path);
  if (!file) return file;
  if (auto written = file->Append(bytes); !written)
    return std::unexpected(written.error());
  if (auto completed = file->Complete(); !completed)
    return std::unexpected(completed.error());
  return file;
}

Result<void> OutputFile::Append(std::string_view bytes) {
  return WriteAll(fd_, bytes, path_);
}

Result<void> OutputFile::Complete() {
  const bool is_device = target_.empty();
  const bool failed = is_device ? close(std::exchange(fd_, -1)) != 0
                                : fchmod(fd_, mode_) != 0 || fsync(fd_) != 0;
  return failed ? IoError(path_, "write") : Result<void>();
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      mode_(other.mode_),
      fd_(std::exchange(other.fd_, -1)) {}

OutputFile::~OutputFile() {
  if (fd_ >= 0) close(fd_);
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  ForgetTemporaryFile(temporary_);
}

Result<void> OutputFile::OpenDevice() {
  fd_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd_ < 0) return IoError(path_, "open");
  EnlargePipe(fd_);
  return {};
}

Result<void> OutputFile::OpenTemporary() {
  fd_ = OpenUnnamed(DirectoryOf(target_));
  if (fd_ >= 0) return {};
  constexpr std::string_view kEnding = ".XXXXXX";
  std::string name = BeginningOfName(target_, kEnding.size());
  name += kEnding;
  fd_ = mkostemp(name.data(), O_CLOEXEC);
  if (fd_ < 0) return IoError(path_, "write");
  SetTemporary(std::move(name));
  return {};
}

void OutputFile::SetTemporary(std::string name) {
  NoteTemporaryFile(name);
  temporary_ = std::move(name);
}

bool OutputFile::LinkTo(const std::string& name) {
  return linkat(AT_FDCWD, DescriptorPath(fd_).c_str(), AT_FDCWD, name.c_str(),
                AT_SYMLINK_FOLLOW) == 0;
}

// The name is random, so that nobody can occupy it beforehand, by mistake or on
// purpose.
bool OutputFile::LinkToTemporaryName() {
  constexpr int kMostAttempts = 100;
  constexpr size_t kEndingSize = 17;
  const std::string beginning = BeginningOfName(target_, kEndingSize);
  for (int i = 0; i < kMostAttempts; ++i) {
    uint64_t number = 0;
    if (getrandom(&number, sizeof(number), 0) != sizeof(number)) return false;
    std::string name = fmt::format("{}.{:016x}", beginning, number);
    if (LinkTo(name)) {
      SetTemporary(std::move(name));
      return true;
    }
    if (errno != EEXIST) return false;
  }
  return false;
}

Result<void> OutputFile::Publish() {
  if (target_.empty()) return {};
  if (temporary_.empty()) {
    if (LinkTo(target_)) return {};
    if (errno != EEXIST) return IoError(path_, "write");
    // `target_` exists. linkat() cannot replace a file, but rename() can.
    // rename() needs an old name, so give the file a temporary name first.
    if (!LinkToTemporaryName()) return IoError(path_, "write");
  }
  if (close(std::exchange(fd_, -1)) != 0 ||
      rename(temporary_.c_str(), target_.c_str()) != 0)
    return IoError(path_, "write");
  ForgetTemporaryFile(temporary_);
  temporary_.clear();
  return {};
}

Result<void> WriteFileAtomically(const std::string& path,
                                 std::string_view bytes) {
  auto file = OutputFile::Write(path, bytes);
  return file ? file->Publish() : std::unexpected(file.error());
}

}  // namespace heapprof
