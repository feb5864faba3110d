// SPDX-License-Identifier: Apache-2.0
#include "index/cache_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/nanoseconds.h"
#include "heapprof/io/temporary_files.h"
#include "index/index_format.h"

namespace heapprof {
namespace {

constexpr mode_t kOwnerOnlyDirectory = 0700;
constexpr std::string_view kTemporaryExtension = ".tmp";

std::string CannotDo(const std::string& path, std::string_view verb) {
  return fmt::format("{}: cannot {}: {}", path, verb, std::strerror(errno));
}

struct DirectoryCloser {
  void operator()(DIR* directory) const { closedir(directory); }
};

Result<void> MakeDirectories(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return {};
  const std::string parent = std::filesystem::path(path).parent_path();
  if (!parent.empty() && parent != path)
    if (auto made = MakeDirectories(parent); !made) return made;
  if (mkdir(path.c_str(), kOwnerOnlyDirectory) != 0 && errno != EEXIST)
    return Fail(ErrorKind::kIo,
                CannotDo(path, "create the directory") +
                    "; --cache-dir names another, --no-cache needs none");
  return {};
}

}  // namespace

FileHandle::FileHandle(FileHandle&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)) {}

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

FileHandle::~FileHandle() { Close(); }

bool FileHandle::Close() {
  const int fd = std::exchange(fd_, -1);
  return fd < 0 || close(fd) == 0;
}

std::string CacheDirectory::PathOf(const std::string& name) const {
  return fmt::format("{}/{}", path_, name);
}

std::unexpected<Error> CacheDirectory::Failure(std::string_view verb) const {
  return Fail(ErrorKind::kIo, CannotDo(path_, verb));
}

Result<std::optional<CacheDirectory>> CacheDirectory::Open(
    const std::string& path) {
  FileHandle handle(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!handle.is_open() && errno == ENOENT) return std::nullopt;
  if (!handle.is_open())
    return Fail(ErrorKind::kIo, CannotDo(path, "use it as a cache"));
  struct stat status = {};
  if (fstat(handle.get(), &status) != 0)
    return Fail(ErrorKind::kIo, CannotDo(path, "use it as a cache"));
  // If another user owns the directory, that user can put false indexes there.
  if (status.st_uid != geteuid())
    return Fail(
        ErrorKind::kIo,
        fmt::format("{}: not used as a cache: it belongs to another user",
                    path));
  return CacheDirectory(path, std::move(handle));
}

Result<CacheDirectory> CacheDirectory::Make(const std::string& path) {
  if (auto made = MakeDirectories(path); !made)
    return std::unexpected(made.error());
  auto opened = Open(path);
  if (!opened) return std::unexpected(opened.error());
  if (!*opened)
    return Fail(ErrorKind::kIo, fmt::format("{}: was removed", path));
  return std::move(**opened);
}

Result<std::vector<std::string>> CacheDirectory::Names() const {
  const int fd = openat(handle_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return Failure("read");
  const std::unique_ptr<DIR, DirectoryCloser> directory(fdopendir(fd));
  if (directory == nullptr) {
    close(fd);
    return Failure("read");
  }
  std::vector<std::string> names;
  while (const dirent* entry = readdir(directory.get()))
    names.emplace_back(entry->d_name);
  return names;
}

Result<std::vector<CacheDirectory::File>> CacheDirectory::Indexes() const {
  const auto names = Names();
  if (!names) return std::unexpected(names.error());
  std::vector<File> files;
  for (const std::string& name : *names) {
    struct stat status = {};
    if (name.ends_with(kIndexExtension) &&
        fstatat(handle_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) ==
            0 &&
        S_ISREG(status.st_mode) && status.st_uid == geteuid())
      files.push_back({name, static_cast<uint64_t>(status.st_size),
                       Nanoseconds(status.st_mtim)});
  }
  std::ranges::sort(files, [](const File& a, const File& b) {
    return a.last_use != b.last_use ? a.last_use > b.last_use : a.name < b.name;
  });
  return files;
}

Result<FileHandle> CacheDirectory::OpenFile(const std::string& name,
                                            uint64_t& size) const {
  FileHandle file(openat(handle_.get(), name.c_str(),
                         O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status = {};
  if (!file.is_open() || fstat(file.get(), &status) != 0)
    return Fail(ErrorKind::kIo, CannotDo(PathOf(name), "open"));
  if (!S_ISREG(status.st_mode) || status.st_uid != geteuid())
    return Fail(ErrorKind::kIo,
                fmt::format("{}: not a file of yours", PathOf(name)));
  size = static_cast<uint64_t>(status.st_size);
  return file;
}

// Sets the modification time of `file`, which serves as the time of its last
// use. Changes it at most once a minute, because each change is written to disk
// and this precision is enough to order files by use.
void CacheDirectory::Touch(const FileHandle& file) const {
  constexpr time_t kSeconds = 60;
  struct stat status = {};
  timespec now = {};
  if (fstat(file.get(), &status) != 0 ||
      clock_gettime(CLOCK_REALTIME, &now) != 0 ||
      (status.st_mtim.tv_sec <= now.tv_sec &&
       now.tv_sec - status.st_mtim.tv_sec < kSeconds))
    return;
  futimens(file.get(), nullptr);
}

bool CacheDirectory::Has(const std::string& name) const {
  return faccessat(handle_.get(), name.c_str(), F_OK, 0) == 0;
}

bool CacheDirectory::Remove(const std::string& name) const {
  ForgetTemporaryFile(PathOf(name));
  return unlinkat(handle_.get(), name.c_str(), 0) == 0;
}

Result<CacheDirectory::Temporary> CacheDirectory::MakeTemporary(
    const std::string& name) const {
  // Tries several times, because another process may remove the new file as
  // stale before this process has locked it.
  constexpr int kAttempts = 10;
  for (int i = 0; i < kAttempts; ++i) {
    std::string path =
        fmt::format("{}.XXXXXX{}", PathOf(name), kTemporaryExtension);
    FileHandle file(mkostemps(
        path.data(), static_cast<int>(kTemporaryExtension.size()), O_CLOEXEC));
    if (!file.is_open()) return Failure("write");
    NoteTemporaryFile(path);
    Temporary temporary = {std::string(BaseName(path)), std::move(file)};
    struct stat status = {};
    if (flock(temporary.file.get(), LOCK_EX | LOCK_NB) == 0 &&
        fstat(temporary.file.get(), &status) == 0 && status.st_nlink != 0)
      return temporary;
    Remove(temporary.name);
  }
  return Fail(ErrorKind::kIo,
              fmt::format("{}: cannot lock files there", path_));
}

Result<void> CacheDirectory::Rename(const std::string& from,
                                    const std::string& to) const {
  if (renameat(handle_.get(), from.c_str(), handle_.get(), to.c_str()) != 0)
    return Failure("write");
  ForgetTemporaryFile(PathOf(from));
  return {};
}

bool CacheDirectory::RemoveStale(std::string_view name) const {
  const auto names = Names();
  bool is_busy = false;
  if (!names) return is_busy;
  for (const std::string& other : *names) {
    if (!other.ends_with(kTemporaryExtension) ||
        !other.contains(kIndexExtension))
      continue;
    const FileHandle file(
        openat(handle_.get(), other.c_str(),
               O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file.is_open()) continue;
    if (flock(file.get(), LOCK_EX | LOCK_NB) == 0)
      Remove(other);
    else if (other.starts_with(name))
      is_busy = true;
  }
  return is_busy;
}

}  // namespace heapprof
