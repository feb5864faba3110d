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

volatile std::sig_atomic_t shutdown_requested = 0;

void RequestShutdown(int) { shutdown_requested = 1; }
void RequestShutdownWithInfo(int, siginfo_t* info, void*) {
  shutdown_requested = info->si_pid > 0 ? 1 : 0;
}

// Sets the handlers, and looks whether they are there.
bool HandleSignals(bool with_info) {
  for (const int number : {SIGTERM, SIGINT}) {
    struct sigaction action = {};
    struct sigaction found = {};
    action.sa_flags = with_info ? SA_SIGINFO : 0;
    if (with_info)
      action.sa_sigaction = RequestShutdownWithInfo;
    else
      action.sa_handler = RequestShutdown;
    if (signal(number, RequestShutdown) != SIG_DFL ||
        sigaction(number, &action, &found) != 0 ||
        found.sa_handler != RequestShutdown ||
        (found.sa_flags & SA_SIGINFO) != 0 ||
        sigaction(number, nullptr, &found) != 0 ||
        (found.sa_flags & SA_SIGINFO) != action.sa_flags)
      return false;
    if (with_info ? found.sa_sigaction != RequestShutdownWithInfo
                  : found.sa_handler != RequestShutdown)
      return false;
  }
  return true;
}

void BlockSignals(sigset_t& signals) {
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

// Frees all before it exits, as servers do.
int ShutDown(const std::string& how, const sigset_t& signals) {
  int number = 0;
  if (how == "sigwait")
    sigwait(&signals, &number);
  else if (how == "sigwaitinfo")
    sigwaitinfo(&signals, nullptr);
  else
    while (shutdown_requested == 0) usleep(1000);
  sessions = {};
  return 10;
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
  sigset_t signals = {};
  const bool waits = ending.rfind("sigwait", 0) == 0;
  if (waits) BlockSignals(signals);
  const bool handles = ending.rfind("graceful", 0) == 0;
  if (handles && !HandleSignals(ending == "graceful_info")) return 21;
  Fill();
  std::printf("%s %d\n", ending.c_str(), getpid());
  std::fflush(stdout);
  if (ending == "exit") exit(3);
  if (ending == "_exit") _exit(4);
  if (ending == "quick_exit") quick_exit(5);
  if (ending == "abort") abort();
  if (ending == "nap") return static_cast<int>(sleep(1000)) > 0 ? 9 : 8;
  if (ending == "work" || ending == "handler") Work();
  if (handles || waits) return ShutDown(ending, signals);
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
  if (ending == "execute_list")
    execlp(argv[2], argv[2], argv[3], static_cast<char*>(nullptr));
  if (ending == "execute_environment")
    execle(argv[2], argv[2], argv[3], static_cast<char*>(nullptr), environ);
  if (ending == "execute_file")
    fexecve(open(argv[2], O_RDONLY | O_CLOEXEC), argv + 2, environ);
  if (ending == "system") return WEXITSTATUS(std::system(argv[2]));
  return 0;
}
