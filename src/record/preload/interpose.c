// SPDX-License-Identifier: Apache-2.0
//
// The functions that the library takes over from the C library, for a moment
// before the program ends, and to stay hidden.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload.h"

OLD_VERSION(dlsym);

#define EXPORT __attribute__((visibility("default")))

typedef int Main(int argc, char** argv, char** environment);
typedef void Handler(int number);

extern char** environ;

static struct RealFunctions real;
static struct Settings settings;
static Main* program_main;
static pid_t started_pid;  // of the process whose settings are hidden; 0: none
// The signals that the program would not survive, as it has no handlers.
static const int kDeadlySignals[] = {SIGTERM, SIGINT};
static atomic_bool is_handled[NSIG];

// Not in a constructor alone: other libraries may call these functions before.
__attribute__((constructor)) static void FindRealFunctions(void) {
  *(void**)&real.sigaction = dlsym(RTLD_NEXT, "sigaction");
  *(void**)&real.signal = dlsym(RTLD_NEXT, "signal");
  *(void**)&real.execve = dlsym(RTLD_NEXT, "execve");
  *(void**)&real.execvpe = dlsym(RTLD_NEXT, "execvpe");
  *(void**)&real.dlopen = dlsym(RTLD_NEXT, "dlopen");
  *(void**)&real.exit = dlsym(RTLD_NEXT, "exit");
  *(void**)&real.quick_exit = dlsym(RTLD_NEXT, "quick_exit");
  *(void**)&real._exit = dlsym(RTLD_NEXT, "_exit");
  *(void**)&real.pthread_exit = dlsym(RTLD_NEXT, "pthread_exit");
}

const struct RealFunctions* RealFunctions(void) {
  if (real.pthread_exit == NULL) FindRealFunctions();
  return &real;
}

static bool ReadBool(const char* name) {
  bool value = false;
  size_t size = sizeof value;
  return settings.mallctl(name, &value, &size, NULL, 0) == 0 && value;
}

// Returns what `heapprof record` needs to know about this process.
static const char* StateOfProfiler(void) {
  if (settings.mallctl == NULL) return "no jemalloc";
  if (!ReadBool("config.prof")) return "no profiler";
  return ReadBool("opt.prof") ? "on" : "off";
}

static void HandleDeadlySignals(void) {
  for (size_t i = 0; i < sizeof kDeadlySignals / sizeof *kDeadlySignals; ++i) {
    const int number = kDeadlySignals[i];
    struct sigaction action;
    if (RealFunctions()->sigaction(number, NULL, &action) != 0 ||
        action.sa_handler != SIG_DFL)
      continue;
    atomic_store(&is_handled[number], true);
    action = (struct sigaction){.sa_handler = SIG_DFL};
    sigaction(number, &action, NULL);
  }
}

static void RecordChild(void) { StartDumpThreads(&settings); }

static void Start(void) {
  if (!ReadSettings(&settings)) return;
  if (!settings.children) {
    HideSettings();
    started_pid = getpid();
  }
  const struct Jemalloc jemalloc = FindJemalloc();
  settings.mallctl = jemalloc.mallctl;
  settings.print_stats = jemalloc.print_stats;
  const char* const state = StateOfProfiler();
  Report(&settings, state);
  if (strcmp(state, "on") != 0 || !StartDumpThreads(&settings)) return;
  HandleDeadlySignals();
  if (settings.children) pthread_atfork(NULL, NULL, RecordChild);
  // Some functions of the C library end the process without a call of exit().
  atexit(DumpAtExit);
}

static int RecordedMain(int argc, char** argv, char** environment) {
  Start();
  const int status = program_main(argc, argv, environment);
  DumpAtExit();
  return status;
}

EXPORT int __libc_start_main(Main* main, int argc, char** argv,
                             void (*init)(void), void (*fini)(void),
                             void (*loader_fini)(void), void* stack_end) {
  int (*start)(Main*, int, char**, void (*)(void), void (*)(void),
               void (*)(void), void*);
  *(void**)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  program_main = main;
  return start(RecordedMain, argc, argv, init, fini, loader_fini, stack_end);
}

EXPORT void exit(int status) {
  DumpAtExit();
  RealFunctions()->exit(status);
  __builtin_unreachable();
}

EXPORT void quick_exit(int status) {
  DumpAtExit();
  RealFunctions()->quick_exit(status);
  __builtin_unreachable();
}

EXPORT void _exit(int status) {
  DumpAtExit();
  RealFunctions()->_exit(status);
  __builtin_unreachable();
}

EXPORT void _Exit(int status) { _exit(status); }

EXPORT void pthread_exit(void* value) {
  // The first thread has the process's number.
  if (syscall(SYS_gettid) == getpid()) NoteMainLeft();
  RealFunctions()->pthread_exit(value);
  __builtin_unreachable();
}

// Our handler stands for "no handler".
EXPORT int sigaction(int number, const struct sigaction* action,
                     struct sigaction* old) {
  struct sigaction ours;
  const bool is_ours =
      number > 0 && number < NSIG && atomic_load(&is_handled[number]);
  if (is_ours && action != NULL && action->sa_handler == SIG_DFL) {
    ours = *action;
    ours.sa_handler = OnDeadlySignal;
    ours.sa_flags = SA_RESTART;
    action = &ours;
  }
  const int status = RealFunctions()->sigaction(number, action, old);
  if (status == 0 && is_ours && old != NULL &&
      old->sa_handler == OnDeadlySignal)
    *old = (struct sigaction){.sa_handler = SIG_DFL};
  return status;
}

EXPORT Handler* signal(int number, Handler* handler) {
  const bool is_ours =
      number > 0 && number < NSIG && atomic_load(&is_handled[number]);
  if (is_ours && handler == SIG_DFL) handler = OnDeadlySignal;
  Handler* const old = RealFunctions()->signal(number, handler);
  return is_ours && old == OnDeadlySignal ? SIG_DFL : old;
}

// A library that is opened with RTLD_DEEPBIND, as PHP's modules are, would call
// the malloc() and free() of the C library, also for memory of jemalloc. With
// glibc before 2.34, libdl may be loaded later than this library. The call of
// the real function is the last one, so that it becomes a jump: dlopen()
// searches the paths of its caller.
EXPORT void* dlopen(const char* path, int mode) {
  if (real.dlopen == NULL) *(void**)&real.dlopen = dlsym(RTLD_NEXT, "dlopen");
  if (settings.preloaded) mode &= ~RTLD_DEEPBIND;
  return real.dlopen(path, mode);
}

static size_t CountOf(char* const* list) {
  size_t count = 0;
  while (list != NULL && list[count] != NULL) ++count;
  return count;
}

// A program that takes the place of the recorded one is recorded, too: many
// servers are started by scripts that end with `exec`. It gets the settings
// even if this one has no profiler.
static bool NeedsSettings(char* const* environment) {
  return environment != NULL && getpid() == started_pid;
}

EXPORT int execve(const char* path, char* const* arguments,
                  char* const* environment) {
  if (!NeedsSettings(environment))
    return RealFunctions()->execve(path, arguments, environment);
  char* merged[CountOf(environment) + kMostHidden + 1];
  MergeSettings(environment, merged);
  return RealFunctions()->execve(path, arguments, merged);
}

EXPORT int execvpe(const char* file, char* const* arguments,
                   char* const* environment) {
  if (!NeedsSettings(environment))
    return RealFunctions()->execvpe(file, arguments, environment);
  char* merged[CountOf(environment) + kMostHidden + 1];
  MergeSettings(environment, merged);
  return RealFunctions()->execvpe(file, arguments, merged);
}

EXPORT int execv(const char* path, char* const* arguments) {
  return execve(path, arguments, environ);
}

EXPORT int execvp(const char* file, char* const* arguments) {
  return execvpe(file, arguments, environ);
}
