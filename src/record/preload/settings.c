// SPDX-License-Identifier: Apache-2.0
//
// The environment of a recorded program. `heapprof record` sets LD_PRELOAD and
// all variables whose names end with MALLOC_CONF; if one of them, NAME, had a
// value before, that is in HEAPPROF_RECORD_SAVED_NAME.
#include <fcntl.h>
#include <unistd.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload.h"

extern char** environ;

// The entries that the program was started with. They are copies, because a
// program may overwrite its environment to change its title.
static char* at_start[kMostKept + 1];  // ends with NULL
static size_t start_count;

static bool StartsWith(const char* text, const char* start) {
  return strncmp(text, start, strlen(start)) == 0;
}

// Returns true for the entries that `heapprof record` sets.
static bool IsSetting(const char* entry) {
  static const char kEnd[] = "MALLOC_CONF";
  const size_t length = strcspn(entry, "="), end = sizeof kEnd - 1;
  if (StartsWith(entry, kSettingsVariable) || StartsWith(entry, "LD_PRELOAD="))
    return true;
  return length >= end && memcmp(entry + length - end, kEnd, end) == 0;
}

// Reads a number and the colon after it.
static uint64_t ReadNumber(const char** text) {
  uint64_t number = 0;
  for (; **text >= '0' && **text <= '9'; ++*text)
    number = number * 10 + (uint64_t)(**text - '0');
  if (**text == ':') ++*text;
  return number;
}

bool ReadSettings(struct Settings* settings) {
  const char* text = getenv(kSettingsVariable);
  if (text == NULL) return false;
  settings->every_ms = ReadNumber(&text);
  settings->growth = (size_t)ReadNumber(&text);
  settings->children = ReadNumber(&text) != 0;
  settings->rss = ReadNumber(&text) != 0;
  settings->preloaded = ReadNumber(&text) != 0;
  const size_t length = strcspn(text, ":");
  if (length >= sizeof settings->status || text[length] == 0) return false;
  memcpy(settings->status, text, length);
  text += length + 1;
  if (strlen(text) >= sizeof settings->prefix) return false;
  strcpy(settings->prefix, text);
  return true;
}

void KeepSettings(void) {
  for (char** entry = environ; *entry != NULL; ++entry) {
    if (!IsSetting(*entry) || strchr(*entry, '=') == NULL ||
        start_count == kMostKept)
      continue;
    char* const copy = strdup(*entry);
    if (copy != NULL) at_start[start_count++] = copy;
  }
}

void HideSettings(void) {
  KeepSettings();
  char** end = environ;
  for (char** entry = environ; *entry != NULL; ++entry) {
    char* restored = *entry;
    if (IsSetting(*entry)) {
      const bool is_saved = StartsWith(*entry, kSavedVariable);
      restored = is_saved ? *entry + strlen(kSavedVariable) : NULL;
    }
    if (restored != NULL) *end++ = restored;
  }
  // Go's runtime takes what follows the first NULL for the auxiliary vector. It
  // must find its end there, not pointers, to look for the vector elsewhere.
  while (*end != NULL) *end++ = NULL;
}

// Returns the value of the variable in `entries` whose name begins with
// `prefix` and ends with that of the variable in `entry`; NULL if there is
// none.
static const char* ValueIn(char* const* entries, const char* prefix,
                           const char* entry) {
  const size_t start = strlen(prefix), length = strcspn(entry, "=") + 1;
  for (; *entries != NULL; ++entries)
    if (StartsWith(*entries, prefix) &&
        strncmp(*entries + start, entry, length) == 0)
      return *entries + start + length;
  return NULL;
}

// Part of a text, without a 0 at its end.
struct Part {
  const char* start;
  size_t length;
};

// Returns what `heapprof record` has added to the value `old` of a variable:
// before it in LD_PRELOAD, and after it in the settings of jemalloc.
static struct Part AddedTo(const char* old, const char* entry) {
  const char* const value = strchr(entry, '=') + 1;
  const size_t length = strlen(value);
  const size_t old_length = old != NULL ? strlen(old) : 0;
  const size_t skipped = old_length == 0 ? 0 : old_length + 1;
  if (skipped > length) return (struct Part){value, 0};
  return (struct Part){
      StartsWith(entry, "LD_PRELOAD=") ? value : value + skipped,
      length - skipped};
}

static void Append(char** end, const char* text, size_t length) {
  memcpy(*end, text, length);
  *end += length;
  **end = 0;
}

// Writes what the `entry` of a variable at the start, which had the value `old`
// without our part, becomes if it has `value` instead. NULL: it is not there.
// Returns where the next text begins.
static char* WriteEntry(char* text, const char* entry, const char* old,
                        const char* value) {
  const bool is_list = StartsWith(entry, "LD_PRELOAD=");
  const struct Part added = AddedTo(old, entry);
  const size_t length = value != NULL ? strlen(value) : 0;
  Append(&text, entry, strcspn(entry, "=") + 1);
  if (is_list) Append(&text, added.start, added.length);
  if (is_list && added.length > 0 && length > 0) Append(&text, ":", 1);
  if (length > 0) Append(&text, value, length);
  if (!is_list && added.length > 0 && length > 0) Append(&text, ",", 1);
  if (!is_list) Append(&text, added.start, added.length);
  return text + 1;
}

static char* WriteSaved(char* text, const char* entry, const char* value) {
  Append(&text, kSavedVariable, strlen(kSavedVariable));
  Append(&text, entry, strcspn(entry, "=") + 1);
  Append(&text, value, strlen(value));
  return text + 1;
}

size_t SizeOfMerged(char* const* environment) {
  size_t size = 1;
  for (size_t i = 0; i < start_count; ++i) {
    const char* const value = ValueIn(environment, "", at_start[i]);
    size += 2 * (strlen(at_start[i]) + (value != NULL ? strlen(value) : 0)) +
            sizeof kSavedVariable + 4;
  }
  return size;
}

void MergeSettings(char* const* environment, char** merged, char* text) {
  for (char* const* entry = environment; *entry != NULL; ++entry)
    if (!IsSetting(*entry) || ValueIn(at_start, "", *entry) == NULL)
      *merged++ = *entry;
  for (size_t i = 0; i < start_count; ++i) {
    char* const entry = at_start[i];
    if (StartsWith(entry, kSavedVariable)) continue;
    if (StartsWith(entry, kSettingsVariable)) {
      *merged++ = entry;
      continue;
    }
    const char* const old = ValueIn(at_start, kSavedVariable, entry);
    const char* value = ValueIn(environment, "", entry);
    if (value != NULL && strcmp(value, strchr(entry, '=') + 1) == 0)
      value = old;  // it was not hidden
    *merged++ = text;
    text = WriteEntry(text, entry, old, value);
    if (value == NULL) continue;
    *merged++ = text;
    text = WriteSaved(text, entry, value);
  }
  *merged = NULL;
}

// Where a descriptor leads, such as "/memfd:reports (deleted)".
struct Target {
  char path[64];
  ssize_t length;  // -1: nowhere
};

// Not by fstat(), which has got a newer version in glibc 2.33.
static struct Target TargetOf(int file) {
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  struct Target target = {.length = -1};
  target.length = readlink(link, target.path, sizeof target.path);
  return target;
}

// Returns a descriptor of the file for reports; -1 if there is none. Programs
// of root that change their user, as servers do, cannot open the file any more.
// So another descriptor is kept for them. The program may have closed it, and
// its number may now belong to another file, so the targets are compared.
static int OpenReports(const struct Settings* settings) {
  enum { kLowest = 200 };
  static int kept = -1;
  static struct Target kept_target;
  const int file = open(settings->status, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file >= 0 && kept < 0 && geteuid() == 0) {
    kept_target = TargetOf(file);
    if (kept_target.length > 0) kept = fcntl(file, F_DUPFD_CLOEXEC, kLowest);
  }
  if (file >= 0 || kept < 0) return file;
  const struct Target now = TargetOf(kept);
  return now.length == kept_target.length &&
                 memcmp(now.path, kept_target.path, (size_t)now.length) == 0
             ? fcntl(kept, F_DUPFD_CLOEXEC, 0)
             : -1;
}

void Report(const struct Settings* settings, const char* line) {
  const int file = OpenReports(settings);
  if (file < 0) return;
  char text[kLongestAnswer];
  const size_t length = strnlen(line, sizeof text - 1);
  memcpy(text, line, length);
  text[length] = '\n';
  // What cannot be reported is lost.
  if (write(file, text, length + 1) < 0) text[0] = 0;
  close(file);
}
