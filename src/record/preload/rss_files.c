// SPDX-License-Identifier: Apache-2.0
//
// What jemalloc and the kernel say about the memory of the process, written
// just before a dump. Nothing here allocates, except jemalloc for its own
// output.
#include <fcntl.h>
#include <unistd.h>

#include <stdio.h>
#include <string.h>

#include "preload.h"

// The stats come first: their first output makes jemalloc map memory. The log
// of recent allocations comes last: jemalloc allocates for it.
static const char* const kExtensions[] = {kStatsExtension, kSmapsExtension,
                                          kStatusExtension, kRecentExtension};
enum { kFiles = sizeof kExtensions / sizeof *kExtensions };

// A file that is being written, with a buffer.
struct Writer {
  int file;
  bool has_failed;
  size_t size;
  char bytes[1 << 16];
};

static void Flush(struct Writer* writer) {
  const ssize_t size = (ssize_t)writer->size;
  if (write(writer->file, writer->bytes, writer->size) != size)
    writer->has_failed = true;
  writer->size = 0;
}

// A callback of malloc_stats_print().
static void Append(void* argument, const char* text) {
  struct Writer* const writer = argument;
  size_t length = strlen(text);
  while (length > 0) {
    const size_t room = sizeof writer->bytes - writer->size;
    const size_t part = length < room ? length : room;
    memcpy(writer->bytes + writer->size, text, part);
    writer->size += part;
    text += part;
    length -= part;
    if (writer->size == sizeof writer->bytes) Flush(writer);
  }
}

// The files of this thread are there even if the first thread has ended.
static void CopyKernelFile(struct Writer* writer, const char* name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/thread-self/%s", name);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? -1 : 0;
  while (file >= 0 &&
         (size = read(file, writer->bytes, sizeof writer->bytes)) > 0) {
    writer->size = (size_t)size;
    Flush(writer);
  }
  if (size < 0) writer->has_failed = true;
  if (file >= 0) close(file);
}

// Returns false for a jemalloc that keeps no log of recent allocations, as none
// does unless it is asked to.
static bool KeepsRecent(const struct Settings* settings) {
  ssize_t most = 0;
  size_t size = sizeof most;
  return settings->mallctl("experimental.prof_recent.alloc_max", &most, &size,
                           NULL, 0) == 0 &&
         most != 0;
}

static void WriteRecent(const struct Settings* settings,
                        struct Writer* writer) {
  struct {
    void (*write)(void*, const char*);
    void* argument;
  } packet = {Append, writer};
  if (settings->mallctl("experimental.prof_recent.alloc_dump", NULL, NULL,
                        &packet, sizeof packet) != 0)
    writer->has_failed = true;
}

// Sets `path` to the name of a file next to `dump`, which ends with ".heap".
static void SetPath(const char* dump, const char* extension, char* path) {
  const size_t length = strlen(dump) - strlen(".heap");
  snprintf(path, kLongestPath, "%.*s%s", (int)length, dump, extension);
}

static bool WriteFile(const struct Settings* settings, const char* dump,
                      const char* extension) {
  static struct Writer writer;
  char path[kLongestPath], part[kLongestPath + 8];
  SetPath(dump, extension, path);
  snprintf(part, sizeof part, "%s.part", path);
  writer.file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (writer.file < 0) return false;
  writer.has_failed = false;
  writer.size = 0;
  if (extension == kStatsExtension)
    settings->print_stats(Append, &writer, "J");
  else if (extension == kRecentExtension)
    WriteRecent(settings, &writer);
  else
    CopyKernelFile(&writer, extension + 1);
  Flush(&writer);
  const bool is_written = close(writer.file) == 0 && !writer.has_failed;
  if (is_written && rename(part, path) == 0) return true;
  unlink(part);
  return false;
}

bool WriteRssFiles(const struct Settings* settings, const char* dump) {
  if (settings->print_stats == NULL) return false;
  for (size_t i = 0; i < kFiles; ++i) {
    if (kExtensions[i] == kRecentExtension && !KeepsRecent(settings)) continue;
    if (WriteFile(settings, dump, kExtensions[i])) continue;
    RemoveRssFiles(dump);
    return false;
  }
  return true;
}

void RemoveRssFiles(const char* dump) {
  char path[kLongestPath];
  for (size_t i = 0; i < kFiles; ++i) {
    SetPath(dump, kExtensions[i], path);
    unlink(path);
  }
}
