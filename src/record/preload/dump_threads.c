// SPDX-License-Identifier: Apache-2.0
//
// Dumps are made by threads of this library, because a thread of the program
// may have been stopped by a signal inside malloc(), with a lock that the dump
// needs. The threads of the program only ask, and wait for a limited time.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "preload.h"

OLD_VERSION(pthread_create);
OLD_VERSION(pthread_detach);
OLD_VERSION(pthread_sigmask);

enum {
  kTick = 100,            // milliseconds between two looks at what goes on
  kIdleTicks = 50,        // a dump that has not gone on for so long is given up
  kTicksInHandler = 10,   // how long the handler of a signal waits for its dump
  kShutdownTime = 10000,  // milliseconds that a graceful exit may take
  kLongTime = 3600000
};

static struct Settings settings;
static atomic_int recorded_pid;   // 0: none
static atomic_uint asked;         // how many dumps the program has asked for,
static atomic_uint made;          // and how many of them were made or failed
static atomic_int deadly_signal;  // ends the process after the next dump
static atomic_int dumping_thread;
static _Atomic(uint64_t) dumped_before_handler;  // milliseconds; 0: never
static atomic_bool main_has_left;
static atomic_uint prepared;  // how many of our threads have started
static pthread_mutex_t dump_mutex = PTHREAD_MUTEX_INITIALIZER;

static uint64_t Milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

bool IsRecorded(void) { return getpid() == atomic_load(&recorded_pid); }

// Waits until `word` is no longer `old`, or for so many milliseconds. Returns
// false after that time.
static bool WaitForChange(atomic_uint* word, unsigned old, uint64_t limit) {
  const struct timespec timeout = {.tv_sec = (time_t)(limit / 1000),
                                   .tv_nsec = (long)(limit % 1000) * 1000000};
  return syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, old, &timeout, NULL, 0) ==
             0 ||
         errno != ETIMEDOUT;
}

static void Wake(atomic_uint* word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

// Creates a file for the next dump, with the name `part` until it is complete.
// Returns false, with the reason in errno, if that cannot be done.
static bool CreateDump(char* path, char* part) {
  static unsigned number;
  while (true) {
    snprintf(path, kLongestPath - 8, "%s.%d.%u.r%u.heap", settings.prefix,
             getpid(), number, number);
    snprintf(part, kLongestPath, "%s.part", path);
    ++number;
    if (access(path, F_OK) == 0) continue;
    const int file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) return close(file) == 0;
    if (errno != EEXIST) return false;
  }
}

// Appends the memory map to a dump. jemalloc reads it from the first thread,
// which has none after its end.
static bool AppendMap(const char* dump) {
  char bytes[4096];
  const int map = open("/proc/thread-self/maps", O_RDONLY | O_CLOEXEC);
  const int file = open(dump, O_WRONLY | O_APPEND | O_CLOEXEC);
  ssize_t size = map < 0 || file < 0 ? -1 : 0;
  while (size >= 0 && (size = read(map, bytes, sizeof bytes)) > 0)
    if (write(file, bytes, (size_t)size) != size) size = -1;
  if (map >= 0) close(map);
  if (file >= 0) close(file);
  return size == 0;
}

// Returns false if a file is cut short because there is no room. jemalloc does
// not notice that its last write was short, but another one fails.
static bool HasRoom(const char* dump) {
  const int file = open(dump, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return false;
  const off_t size = lseek(file, 0, SEEK_END);
  const bool has_room = write(file, "", 1) == 1 && ftruncate(file, size) == 0;
  close(file);
  return has_room;
}

// Writes a complete dump into the file `part`. Returns false if that fails.
static bool WriteDump(const char* part) {
  return settings.mallctl("prof.dump", NULL, NULL, (void*)&part, sizeof part) ==
             0 &&
         (!atomic_load(&main_has_left) || AppendMap(part)) && HasRoom(part);
}

void Dump(char* answer, bool rss) {
  char path[kLongestPath - 8], part[kLongestPath];
  const bool wants_rss = rss || settings.rss;
  pthread_mutex_lock(&dump_mutex);
  atomic_store(&dumping_thread, (int)syscall(SYS_gettid));
  const bool is_created = CreateDump(path, part);
  // Before the dump, for which jemalloc allocates.
  bool has_rss = is_created && wants_rss && WriteRssFiles(&settings, path);
  if (!is_created) {
    const int error = errno;
    char user[32] = "";
    // Servers change their user.
    if (error == EACCES)
      snprintf(user, sizeof user, " for user %u", (unsigned)geteuid());
    snprintf(answer, kLongestAnswer, "!cannot write %s: %s%s", path,
             strerror(error), user);
  } else {
    bool is_written = WriteDump(part);
    if (!is_written && has_rss) {
      // Perhaps the dump fits without them.
      RemoveRssFiles(path);
      has_rss = false;
      is_written = WriteDump(part);
    }
    if (is_written && rename(part, path) == 0) {
      snprintf(answer, kLongestAnswer, "%s", path);
    } else {
      unlink(part);
      if (has_rss) RemoveRssFiles(path);
      snprintf(answer, kLongestAnswer,
               "!cannot write %s: jemalloc failed; is the disk full?", path);
    }
  }
  if (answer[0] == kFailureMark)
    Report(&settings, answer);
  else if (wants_rss && !has_rss)
    Report(&settings,
           settings.print_stats == NULL
               ? "!--rss: no function malloc_stats_print() was found"
               : "!--rss: cannot write all files; is the disk full?");
  pthread_mutex_unlock(&dump_mutex);
}

// Ends the process by a signal, as if it had no handler.
static void Die(int number) {
  const struct sigaction action = {.sa_handler = SIG_DFL};
  RealFunctions()->sigaction(number, &action, NULL);
  kill(getpid(), number);
}

static bool IsMade(unsigned ticket) {
  return (int)(ticket - atomic_load(&made)) <= 0;
}

// Waits for a dump as long as its thread goes on. It is stuck if the program
// calls exit() in the handler of a signal that has stopped malloc().
static void WaitForDump(unsigned ticket) {
  struct timespec last = {0}, used = {0};
  for (int idle = 0; !IsMade(ticket) && idle < kIdleTicks;) {
    const unsigned now = atomic_load(&made);
    if (IsMade(ticket) || WaitForChange(&made, now, kTick)) continue;
    // The kernel's number for the clock of a thread's processor time.
    const clockid_t clock = ~atomic_load(&dumping_thread) * 8 + 6;
    clock_gettime(clock, &used);
    const bool is_idle =
        used.tv_sec == last.tv_sec && used.tv_nsec == last.tv_nsec;
    idle = is_idle ? idle + 1 : 0;
    last = used;
  }
}

static unsigned AskForDump(void) {
  const unsigned ticket = atomic_fetch_add(&asked, 1) + 1;
  Wake(&asked);
  return ticket;
}

void DumpAtExit(void) {
  static atomic_bool has_asked;
  if (!IsRecorded()) return;
  // What the program has freed since its handler ran, it has freed to exit.
  const uint64_t before = atomic_load(&dumped_before_handler);
  const bool is_shutdown =
      before != 0 && Milliseconds() - before < kShutdownTime;
  WaitForDump(is_shutdown || atomic_exchange(&has_asked, true)
                  ? atomic_load(&asked)
                  : AskForDump());
  const int number = atomic_load(&deadly_signal);
  if (number == 0) return;
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  Die(number);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

// Waits only for a short time, as this thread may hold a lock of malloc().
static void WaitInHandler(unsigned ticket) {
  for (int tick = 0; tick < kTicksInHandler && !IsMade(ticket); ++tick) {
    const unsigned now = atomic_load(&made);
    if (!IsMade(ticket)) WaitForChange(&made, now, kTick);
  }
}

// Waits for the dump that ends the process, because a system call that was
// interrupted would return.
void OnDeadlySignal(int number) {
  const int saved_errno = errno;
  if (IsRecorded()) {
    atomic_store(&deadly_signal, number);
    WaitInHandler(AskForDump());
  } else {
    Die(number);
  }
  errno = saved_errno;
}

void DumpBeforeHandler(void) {
  static atomic_bool has_asked;
  const int saved_errno = errno;
  if (IsRecorded() && !atomic_exchange(&has_asked, true)) {
    const unsigned ticket = AskForDump();
    WaitInHandler(ticket);
    if (IsMade(ticket)) atomic_store(&dumped_before_handler, Milliseconds());
  }
  errno = saved_errno;
}

void NoteMainLeft(void) {
  if (!IsRecorded()) return;
  atomic_store(&main_has_left, true);
  Wake(&asked);
}

// Returns true if the first thread has ended, and only those of this library
// are left. The C library does not notice that, because it counts them.
static bool IsAlone(void) {
  char state[64] = "";
  const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_read = read(file, state, sizeof state - 1) > 0;
  close(file);
  const char* const name_end = strrchr(state, ')');
  if (!is_read || name_end == NULL || strncmp(name_end, ") Z", 3) != 0)
    return false;
  DIR* const tasks = opendir("/proc/self/task");
  if (tasks == NULL) return false;
  int count = 0;
  for (const struct dirent* task; (task = readdir(tasks)) != NULL;)
    count += task->d_name[0] != '.';
  closedir(tasks);
  return count <= 3;
}

// Returns true if the live memory is `settings.growth` above its last maximum.
static bool HasGrown(void) {
  static size_t limit;
  uint64_t epoch = 1;
  size_t live = 0, size = sizeof live;
  settings.mallctl("epoch", NULL, NULL, &epoch, sizeof epoch);
  if (settings.mallctl("stats.allocated", &live, &size, NULL, 0) != 0)
    return false;
  if (limit == 0) limit = settings.growth;
  if (live < limit) return false;
  limit = live + settings.growth;
  return true;
}

// Returns how long the thread may sleep if nothing is asked for.
static uint64_t TimeLimit(uint64_t next) {
  if (settings.growth != 0 || atomic_load(&main_has_left)) return kTick;
  const uint64_t now = Milliseconds();
  if (settings.every_ms == 0) return kLongTime;
  return next > now ? next - now : 0;
}

void PrepareThread(void) {
  prctl(PR_SET_NAME, "heapprof");
  // Keeps the root of now: the program may call chroot(), as servers do, and
  // the folder of the dumps is not below the new root. A container may forbid
  // this.
  unshare(CLONE_FS);
  // Takes an arena and the thread's counters while there is memory for them:
  // jemalloc 5.3 crashes in the dump of a thread without an arena.
  unsigned arena;
  size_t size = sizeof arena;
  settings.mallctl("thread.arena", &arena, &size, NULL, 0);
  bool is_active;
  size = sizeof is_active;
  settings.mallctl("thread.prof.active", &is_active, &size, NULL, 0);
  atomic_fetch_add(&prepared, 1);
  Wake(&prepared);
}

static void* MakeDumps(void* unused) {
  (void)unused;
  char answer[kLongestAnswer];
  PrepareThread();
  uint64_t next = Milliseconds() + settings.every_ms;
  while (true) {
    const unsigned ticket = atomic_load(&asked);
    const bool is_asked = !IsMade(ticket);
    const bool is_time = settings.every_ms != 0 && Milliseconds() >= next;
    const bool has_grown = settings.growth != 0 && HasGrown();
    if (is_asked || is_time || has_grown) Dump(answer, false);
    if (is_time) next = Milliseconds() + settings.every_ms;
    if (is_asked) {
      const int number = atomic_load(&deadly_signal);
      if (number != 0) Die(number);
      atomic_store(&made, ticket);
      Wake(&made);
    }
    if (atomic_load(&main_has_left) && IsAlone()) {
      Dump(answer, false);
      atomic_store(&recorded_pid, 0);  // exit() shall not ask this thread
      RealFunctions()->exit(0);
    }
    WaitForChange(&asked, ticket, TimeLimit(next));
  }
  return NULL;
}

bool StartDumpThreads(const struct Settings* new_settings) {
  settings = *new_settings;
  // The first dumps of a child do not wait for those of its parent.
  atomic_store(&made, atomic_load(&asked));
  const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
  dump_mutex = unlocked;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  unsigned started = 0;
  atomic_store(&prepared, 0);
  if (pthread_create(&thread, NULL, MakeDumps, NULL) == 0) {
    ++started;
    atomic_store(&recorded_pid, getpid());
    pthread_detach(thread);
    if (pthread_create(&thread, NULL, AnswerRequests, &settings) == 0) {
      ++started;
      pthread_detach(thread);
    }
  }
  // Waits, because a child may call chroot() at once.
  unsigned now;
  while ((now = atomic_load(&prepared)) < started &&
         WaitForChange(&prepared, now, kTicksInHandler * kTick)) {
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started != 0;
}
