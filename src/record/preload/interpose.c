// SPDX-License-Identifier: Apache-2.0
//
// The functions that the library takes over from the C library, for a moment
// before the program ends, and to stay hidden.
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <dlfcn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload.h"

OLD_VERSION(dlsym);

typedef int Main(int argc, char** argv, char** environment);
typedef void Handler(int number);
typedef void InfoHandler(int number, siginfo_t* info, void* context);

extern char** environ;

static struct RealFunctions real;
static struct Settings settings;
static Main* program_main;
static pid_t started_pid;  // of the process whose settings are hidden; 0: none
// The signals that end programs: at once, or when their handlers have run.
static const int kDeadlySignals[] = {SIGTERM, SIGINT};
// True: our handler stands for "no handler".
static atomic_bool is_handled[NSIG];
// The program's own handlers, which OnHandledSignal() calls.
static struct {
  _Atomic(InfoHandler*) with_info;
  _Atomic(Handler*) plain;  // counts if the other one is null
} own_handlers[NSIG];

// Not in a constructor alone: other libraries may call these functions before.
__attribute__((constructor)) static void FindRealFunctions(void) {
  *(void**)&real.sigaction = dlsym(RTLD_NEXT, "sigaction");
  *(void**)&real.signal = dlsym(RTLD_NEXT, "signal");
  *(void**)&real.sigwait = dlsym(RTLD_NEXT, "sigwait");
  *(void**)&real.sigtimedwait = dlsym(RTLD_NEXT, "sigtimedwait");
  *(void**)&real.execve = dlsym(RTLD_NEXT, "execve");
  *(void**)&real.execvpe = dlsym(RTLD_NEXT, "execvpe");
  *(void**)&real.fexecve = dlsym(RTLD_NEXT, "fexecve");
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

// Returns what `heapprof record` needs to know about this process.
static const char* StateOfProfiler(void) {
  if (settings.mallctl == NULL) return kNoJemalloc;
  if (!ReadBool(settings.mallctl, "config.prof")) return kNoProfiler;
  return ReadBool(settings.mallctl, "opt.prof") ? kProfilerIsOn
                                                : kProfilerIsOff;
}

// Returns true if malloc() allocates from jemalloc. That of the program itself
// comes before any library's, and may do so or not.
static bool ServesMalloc(void) {
  uint64_t before = 0, after = 0;
  size_t size = sizeof before;
  if (settings.mallctl("thread.allocated", &before, &size, NULL, 0) != 0)
    return true;  // it was built without statistics
  void* volatile block = malloc(1);
  free(block);
  settings.mallctl("thread.allocated", &after, &size, NULL, 0);
  return after != before;
}

static void ReportOtherMalloc(void) {
  char path[kLongestPath], line[kLongestAnswer];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  snprintf(line, sizeof line,
           "%c%s has a malloc() of its own in place of jemalloc's, so what it "
           "allocates is not in the dump",
           kWarningMark, path);
  Report(&settings, line);
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

// Some programs only change the rights or the namespaces of the process and
// execute another one. The kernel does that for a single thread: with others,
// unshare() fails, and after a change of capabilities, which those would lack,
// setresgid() aborts.
static bool NeedsOneThread(void) {
  static const char* const kPrograms[] = {"bwrap", "nsenter", "setpriv",
                                          "unshare"};
  for (size_t i = 0; i < sizeof kPrograms / sizeof *kPrograms; ++i)
    if (strcmp(program_invocation_short_name, kPrograms[i]) == 0) return true;
  return false;
}

static void RecordChild(void) { StartDumpThreads(&settings); }

static void Start(void) {
  if (!ReadSettings(&settings)) return;
  const struct Jemalloc jemalloc = FindJemalloc();
  if (settings.children) {
    KeepSettings();
  } else {
    HideSettings();
    started_pid = getpid();
  }
  settings.mallctl = jemalloc.mallctl;
  settings.print_stats = jemalloc.print_stats;
  const char* const state = StateOfProfiler();
  if (settings.preloaded && strcmp(state, kProfilerIsOn) == 0 &&
      !ServesMalloc())
    ReportOtherMalloc();
  Report(&settings, state);
  if (strcmp(state, kProfilerIsOn) != 0 || NeedsOneThread() ||
      !StartDumpThreads(&settings))
    return;
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

static bool IsDeadly(int number) {
  for (size_t i = 0; i < sizeof kDeadlySignals / sizeof *kDeadlySignals; ++i)
    if (kDeadlySignals[i] == number) return true;
  return false;
}

// The handler of signals that end the process when the program's own handler
// has run.
static void OnHandledSignal(int number, siginfo_t* info, void* context) {
  DumpBeforeHandler();
  InfoHandler* const with_info = atomic_load(&own_handlers[number].with_info);
  Handler* const plain = atomic_load(&own_handlers[number].plain);
  if (with_info != NULL)
    with_info(number, info, context);
  else
    plain(number);
}

// Returns the action that `action` of the program becomes.
static struct sigaction OurAction(int number, const struct sigaction* action) {
  struct sigaction ours = *action;
  if (action->sa_handler == SIG_DFL) {
    if (!atomic_load(&is_handled[number])) return ours;
    ours.sa_handler = OnDeadlySignal;
    ours.sa_flags = SA_RESTART;
  } else if (action->sa_handler != SIG_IGN && IsRecorded()) {
    // At any moment, a signal finds one of the two.
    if (action->sa_flags & SA_SIGINFO) {
      atomic_store(&own_handlers[number].with_info, action->sa_sigaction);
    } else {
      atomic_store(&own_handlers[number].plain, action->sa_handler);
      atomic_store(&own_handlers[number].with_info, NULL);
    }
    ours.sa_sigaction = OnHandledSignal;
    ours.sa_flags |= SA_SIGINFO;
  }
  return ours;
}

// The program does not see our handlers.
EXPORT int sigaction(int number, const struct sigaction* action,
                     struct sigaction* old) {
  if (!IsDeadly(number)) return RealFunctions()->sigaction(number, action, old);
  Handler* const plain = atomic_load(&own_handlers[number].plain);
  InfoHandler* const with_info = atomic_load(&own_handlers[number].with_info);
  struct sigaction ours;
  if (action != NULL) {
    ours = OurAction(number, action);
    action = &ours;
  }
  const int status = RealFunctions()->sigaction(number, action, old);
  if (status != 0 || old == NULL) return status;
  if (old->sa_handler == OnDeadlySignal) {
    *old = (struct sigaction){.sa_handler = SIG_DFL};
  } else if (old->sa_sigaction == OnHandledSignal) {
    if (with_info != NULL) {
      old->sa_sigaction = with_info;
    } else {
      old->sa_handler = plain;
      old->sa_flags &= ~SA_SIGINFO;
    }
  }
  return status;
}

EXPORT Handler* signal(int number, Handler* handler) {
  if (!IsDeadly(number)) return RealFunctions()->signal(number, handler);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  struct sigaction old;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, number);
  return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

// Programs may also wait for signals, in a thread that then ends them.
EXPORT int sigwait(const sigset_t* signals, int* number) {
  const int error = RealFunctions()->sigwait(signals, number);
  if (error == 0 && IsDeadly(*number)) DumpBeforeHandler();
  return error;
}

EXPORT int sigtimedwait(const sigset_t* signals, siginfo_t* info,
                        const struct timespec* limit) {
  const int number = RealFunctions()->sigtimedwait(signals, info, limit);
  if (IsDeadly(number)) DumpBeforeHandler();
  return number;
}

EXPORT int sigwaitinfo(const sigset_t* signals, siginfo_t* info) {
  return sigtimedwait(signals, info, NULL);
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
  return environment != NULL && (settings.children || getpid() == started_pid);
}

// A program to execute, and the function of the C library that does so.
struct Program {
  const char* path;  // or the name of a file
  int descriptor;
  int (*start)(const struct Program* program, char* const* arguments,
               char* const* environment);
};

// Executes a program with the settings. Allocates nothing, since the caller may
// be the child of a vfork().
static int ExecuteRecorded(struct Program program, char* const* arguments,
                           char* const* environment) {
  if (!NeedsSettings(environment))
    return program.start(&program, arguments, environment);
  char* merged[CountOf(environment) + 2 * kMostKept + 1];
  char text[SizeOfMerged(environment)];
  MergeSettings(environment, merged, text);
  return program.start(&program, arguments, merged);
}

static int StartPath(const struct Program* program, char* const* arguments,
                     char* const* environment) {
  return RealFunctions()->execve(program->path, arguments, environment);
}

static int StartFile(const struct Program* program, char* const* arguments,
                     char* const* environment) {
  return RealFunctions()->execvpe(program->path, arguments, environment);
}

static int StartDescriptor(const struct Program* program,
                           char* const* arguments, char* const* environment) {
  return RealFunctions()->fexecve(program->descriptor, arguments, environment);
}

EXPORT int execve(const char* path, char* const* arguments,
                  char* const* environment) {
  return ExecuteRecorded((struct Program){.path = path, .start = StartPath},
                         arguments, environment);
}

EXPORT int execvpe(const char* file, char* const* arguments,
                   char* const* environment) {
  return ExecuteRecorded((struct Program){.path = file, .start = StartFile},
                         arguments, environment);
}

EXPORT int fexecve(int file, char* const* arguments, char* const* environment) {
  return ExecuteRecorded(
      (struct Program){.descriptor = file, .start = StartDescriptor}, arguments,
      environment);
}

EXPORT int execv(const char* path, char* const* arguments) {
  return execve(path, arguments, environ);
}

EXPORT int execvp(const char* file, char* const* arguments) {
  return execvpe(file, arguments, environ);
}

// Copies arguments to `list`, if it is not null, with the NULL at their end.
// Returns how many they are with it.
static size_t Collect(const char* first, va_list* more, const char** list) {
  size_t count = 0;
  for (const char* next = first;; next = va_arg(*more, const char*)) {
    if (list != NULL) list[count] = next;
    ++count;
    if (next == NULL) return count;
  }
}

typedef int Execute(const char*, char* const*, char* const*);

// Executes a program with arguments that are in a list of parameters. If
// `environment` is null, its place is behind them.
static int ExecuteWithList(Execute* execute, const char* program,
                           const char* first, va_list* more,
                           char*** environment) {
  va_list counted;
  va_copy(counted, *more);
  const char* list[Collect(first, &counted, NULL)];
  va_end(counted);
  Collect(first, more, list);
  return execute(
      program, (char* const*)list,
      environment != NULL ? *environment : va_arg(*more, char* const*));
}

EXPORT int execl(const char* path, const char* first, ...) {
  va_list more;
  va_start(more, first);
  const int status = ExecuteWithList(execve, path, first, &more, &environ);
  va_end(more);
  return status;
}

EXPORT int execlp(const char* file, const char* first, ...) {
  va_list more;
  va_start(more, first);
  const int status = ExecuteWithList(execvpe, file, first, &more, &environ);
  va_end(more);
  return status;
}

EXPORT int execle(const char* path, const char* first, ...) {
  va_list more;
  va_start(more, first);
  const int status = ExecuteWithList(execve, path, first, &more, NULL);
  va_end(more);
  return status;
}
