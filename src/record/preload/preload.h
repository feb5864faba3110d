// SPDX-License-Identifier: Apache-2.0
//
// The library that `heapprof record` preloads into a program. It asks jemalloc
// for a dump while the memory is still there: when main() returns, at exit(),
// before a signal ends the process, after a time, after growth, and when
// `heapprof dump` asks for one. It uses nothing but the C library, and no
// function of it that came after glibc 2.17.
//
//   settings.c      what the environment says, and how that is hidden
//   find_jemalloc.c jemalloc's functions, in a library or in the program
//   dump_threads.c  the threads that make the dumps
//   rss_files.c     the files next to a dump that `heapprof explain` reads
//   requests.c      the socket for `heapprof dump` and `heapprof doctor`
//   allocate.c      functions for allocation that jemalloc lacks
//   backtrace.c     backtraces end at code that cannot be unwound
//   interpose.c     the functions that the library takes over; begin there
#pragma once

#include <pthread.h>
#include <signal.h>

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heapprof/record/recorder_protocol.h"

// These functions have got a newer version in glibc 2.34. The old one is in
// every glibc, so that is the one to use.
#if defined(__x86_64__)
#define OLD_VERSION(name) __asm__(".symver " #name "," #name "@GLIBC_2.2.5")
#elif defined(__aarch64__)
#define OLD_VERSION(name) __asm__(".symver " #name "," #name "@GLIBC_2.17")
#else
#define OLD_VERSION(name) struct Settings
#endif

// For functions that take the place of others.
#define EXPORT __attribute__((visibility("default")))

enum {
  kLongestPath = PATH_MAX,
  kLongestPrefix = kLongestPath - 64,  // the rest of a name is shorter
  kLongestAnswer = kLongestPath + 128
};

typedef int Mallctl(const char* name, void* old, size_t* old_size,
                    void* new_value, size_t new_size);
typedef void PrintStats(void (*write)(void*, const char*), void* argument,
                        const char* options);

// The functions of a jemalloc; null: it lacks them.
struct Jemalloc {
  Mallctl* mallctl;
  PrintStats* print_stats;
};

struct Settings {
  uint64_t every_ms;  // 0: no dumps by time
  size_t growth;      // bytes; 0: no dumps by growth
  bool children;      // record them, too
  bool rss;           // write the files for `heapprof explain`, too
  bool preloaded;     // jemalloc is, and the program knows nothing of it
  char status[64];    // a file for reports to `heapprof record`
  char prefix[kLongestPrefix];
  Mallctl* mallctl;
  PrintStats* print_stats;
};

// Reads the settings from the environment. Returns false if there are none.
bool ReadSettings(struct Settings* settings);
// Keeps the settings in the environment for MergeSettings().
void KeepSettings(void);
// Does so and restores the environment that the program would have without the
// library.
void HideSettings(void);
// Copies `environment` to `merged` with the kept settings, for a program that
// takes the place of this one. If a variable has got another value since the
// start, ours are added to that. `merged` needs room for 2 * kMostKept more,
// and `text` for SizeOfMerged() characters.
enum { kMostKept = 24 };
size_t SizeOfMerged(char* const* environment);
void MergeSettings(char* const* environment, char** merged, char* text);
// Appends a line to the file for reports.
void Report(const struct Settings* settings, const char* line);

// Returns a boolean of mallctl(); false if it cannot be read.
bool ReadBool(Mallctl* mallctl, const char* name);

// Returns the jemalloc that the program uses. Reads the prefixes that it may
// have from the settings in the environment.
struct Jemalloc FindJemalloc(void);

// Prepares a thread of this library, which has just started.
void PrepareThread(void);
// Starts the threads that make dumps with `settings`.
bool StartDumpThreads(const struct Settings* settings);
// Returns true in the process that is recorded. A child has another id, so it
// runs as if this library were not there.
bool IsRecorded(void);
// Waits until a dump is made.
void DumpAtExit(void);
// Says that the first thread ends without the process.
void NoteMainLeft(void);
// The handler of signals that end the process.
void OnDeadlySignal(int number);
// Waits until a dump is made, but only in the first call, and for a short time.
// Call it before the program handles a signal: it may free its memory to exit.
void DumpBeforeHandler(void);

// Writes a dump, and with `rss` the files for `heapprof explain`. `answer`, of
// kLongestAnswer bytes, gets the path of the dump, or kFailureMark and what is
// wrong.
void Dump(char* answer, bool rss);

// Writes the files for `heapprof explain` next to a dump that is being made.
// Returns false, and leaves none, if one cannot be written. One thread at a
// time.
bool WriteRssFiles(const struct Settings* settings, const char* dump);
// Removes them.
void RemoveRssFiles(const char* dump);

// The thread that answers `heapprof dump` and `heapprof doctor`, with
// `settings`.
void* AnswerRequests(void* settings);

// The functions that this library hides from the program.
struct RealFunctions {
  int (*sigaction)(int, const struct sigaction*, struct sigaction*);
  void (*(*signal)(int, void (*)(int)))(int);
  int (*sigwait)(const sigset_t*, int*);
  int (*sigtimedwait)(const sigset_t*, siginfo_t*, const struct timespec*);
  int (*execve)(const char*, char* const*, char* const*);
  int (*execvpe)(const char*, char* const*, char* const*);
  int (*fexecve)(int, char* const*, char* const*);
  void* (*dlopen)(const char*, int);
  void (*exit)(int);
  void (*quick_exit)(int);
  void (*_exit)(int);
  void (*pthread_exit)(void*);
};
const struct RealFunctions* RealFunctions(void);
