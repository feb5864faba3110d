// SPDX-License-Identifier: Apache-2.0
//
// Threads whose names are hard to parse in a dump's thread lines. They run
// one after the other, so the dump numbers them in this order. At exit:
//
//   t1  "plain"           1 x 64 KiB =  65536
//   t2  "wrk 1"           2 x 64 KiB = 131072
//   t3  "net:io [2]"      3 x 64 KiB = 196608
//   t4  "x]: 1: 2 [3: 4"  4 x 64 KiB = 262144
//
// All of it below demo::HoldInThread: 655360 bytes. The main thread (t0) and
// the runtime libraries hold some more.
#include <pthread.h>

#include "hold.h"

namespace demo {

struct Worker {
  const char* name;
  int blocks;
};

[[gnu::noinline]] void HoldInThread(int blocks) {
  for (int i = 0; i < blocks; ++i) hold::Keep(std::malloc(64 << 10));
}

void* Run(void* argument) {
  const Worker* worker = static_cast<const Worker*>(argument);
  pthread_setname_np(pthread_self(), worker->name);
  HoldInThread(worker->blocks);
  return &hold::kept_count;
}

}  // namespace demo

int main() {
  demo::Worker workers[] = {
      {"plain", 1}, {"wrk 1", 2}, {"net:io [2]", 3}, {"x]: 1: 2 [3: 4", 4}};
  for (demo::Worker& worker : workers) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, demo::Run, &worker) != 0) return 1;
    pthread_join(thread, nullptr);
  }
  return 0;
}
