// SPDX-License-Identifier: Apache-2.0
//
// Holds 8 MB in a global container, which its destructor frees, and ends in the
// way that its argument names. Prints a line when it has the memory.
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

std::vector<std::string> sessions;

__attribute__((noinline)) void Fill() {
  for (int i = 0; i < 8000; ++i) sessions.emplace_back(1000, 'x');
}

[[noreturn]] void SleepForever() {
  while (true) sleep(1000);
}

// Allocates and frees until a signal comes.
[[noreturn]] void Work() {
  for (unsigned i = 1;; i = i * 1103515245 + 12345)
    std::vector<std::string>(i % 64, std::string(1 + i % 5000, 'y')).clear();
}

int ForkChild() {
  const pid_t child = fork();
  if (child == 0) exit(7);
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

void CloseFiles() {
  for (int file = 3; file < 1024; ++file) close(file);
  for (int i = 0; i < 20; ++i) open("/dev/null", O_RDWR);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string ending = argc > 1 ? argv[1] : "return";
  if (ending == "handler") signal(SIGTERM, [](int) { _exit(12); });
  Fill();
  std::printf("%s %d\n", ending.c_str(), getpid());
  std::fflush(stdout);
  if (ending == "exit") exit(3);
  if (ending == "_exit") _exit(4);
  if (ending == "quick_exit") quick_exit(5);
  if (ending == "abort") abort();
  if (ending == "nap") return static_cast<int>(sleep(1000)) > 0 ? 9 : 8;
  if (ending == "work" || ending == "handler") Work();
  if (ending == "workers") {
    for (int i = 0; i < 2; ++i) std::thread(Work).detach();
    SleepForever();
  }
  if (ending == "ignore") {
    if (signal(SIGTERM, SIG_IGN) != SIG_DFL) return 20;
    raise(SIGTERM);
    return 13;
  }
  if (ending == "threads") {
    std::thread(SleepForever).detach();
    return 6;
  }
  if (ending == "pthread_exit") {
    std::thread([] { usleep(50000); }).detach();
    pthread_exit(nullptr);
  }
  if (ending == "fork") return ForkChild();
  if (ending == "files") {
    CloseFiles();
    SleepForever();
  }
  if (ending == "clearenv") clearenv();
  if (ending == "execute") execvp(argv[2], argv + 2);
  if (ending == "system") return WEXITSTATUS(std::system(argv[2]));
  return 0;
}
