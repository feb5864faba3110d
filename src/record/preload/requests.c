// SPDX-License-Identifier: Apache-2.0
//
// A socket in the abstract namespace, which has no permissions: so the server
// looks who the client is. The program may close all its files, and open others
// with the same numbers: so each use is preceded by a look at the socket.
#define _GNU_SOURCE
#include <errno.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <stdio.h>
#include <string.h>

#include "preload.h"

#ifndef SO_COOKIE
#define SO_COOKIE 57
#endif

struct Socket {
  int file;  // -1: none
  uint64_t cookie;
};

// Returns what tells a socket from all others; 0 if `file` is no socket.
static uint64_t CookieOf(int file) {
  uint64_t cookie = 0;
  socklen_t size = sizeof cookie;
  if (getsockopt(file, SOL_SOCKET, SO_COOKIE, &cookie, &size) != 0) return 0;
  return cookie;
}

static bool IsOpen(struct Socket it) {
  return it.file >= 0 && CookieOf(it.file) == it.cookie;
}

static struct Socket Listen(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1,
                              "%s%d", kSocketName, getpid());
  const socklen_t size =
      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
  const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const struct Socket server = {file, file < 0 ? 0 : CookieOf(file)};
  if (file >= 0 && bind(file, (struct sockaddr*)&address, size) == 0 &&
      listen(file, SOMAXCONN) == 0)
    return server;
  if (IsOpen(server)) close(file);
  return (struct Socket){-1, 0};
}

// Waits for a client that runs as the same user, or as root.
static struct Socket Accept(struct Socket server) {
  const int file = accept4(server.file, NULL, NULL, SOCK_CLOEXEC);
  const struct Socket client = {file, file < 0 ? 0 : CookieOf(file)};
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (file < 0) return client;
  if (getsockopt(file, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
      (peer.uid == geteuid() || peer.uid == 0))
    return client;
  close(file);
  return (struct Socket){-1, 0};
}

// Returns the first letter of the request; 0 if the client makes none in time.
static char ReadRequest(int file) {
  const struct timeval limit = {.tv_sec = 1};
  // All of it: what is left unread when the socket is closed is an error for
  // the client.
  char request[sizeof kStateRequest] = "";
  setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  return recv(file, request, sizeof request, 0) > 0 ? request[0] : 0;
}

// Answers with the settings in use, as MALLOC_CONF has them, and the prefix of
// the dumps. Nothing is asked for that would change the program.
static void DescribeProfiler(const struct Settings* settings, char* answer) {
  size_t rate = 0, size = sizeof rate;
  settings->mallctl("prof.lg_sample", &rate, &size, NULL, 0);
  snprintf(answer, kLongestAnswer,
           "prof:true,prof_active:%s,lg_prof_sample:%zu,"
           "prof_sys_thread_name:%s\n%s",
           ReadBool(settings->mallctl, "prof.active") ? "true" : "false", rate,
           ReadBool(settings->mallctl, "opt.prof_sys_thread_name") ? "true"
                                                                   : "false",
           settings->prefix);
}

void* AnswerRequests(void* settings) {
  char answer[kLongestAnswer + 1];
  struct Socket server = {-1, 0};
  PrepareThread();
  while (true) {
    if (!IsOpen(server)) server = Listen();
    const struct Socket client = Accept(server);
    if (client.file < 0) {
      // Another process may have the name of the socket, or all numbers of
      // files may be in use.
      const struct timespec pause = {.tv_nsec = 100000000};
      nanosleep(&pause, NULL);
      continue;
    }
    const char request = ReadRequest(client.file);
    answer[0] = 0;
    if (request == kDumpRequest[0]) Dump(answer, false);
    if (request == kRssRequest[0]) Dump(answer, true);
    if (request == kStateRequest[0]) DescribeProfiler(settings, answer);
    strcat(answer, "\n");
    if (!IsOpen(client)) continue;
    send(client.file, answer, strlen(answer), MSG_NOSIGNAL);
    close(client.file);
  }
  return NULL;
}
