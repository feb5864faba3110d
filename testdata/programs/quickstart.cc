// SPDX-License-Identifier: Apache-2.0
//
// A small server in miniature, for scripts/quickstart.sh: worker threads parse
// requests and keep the answers in a cache that nobody empties. Most of its
// memory are the pages that RenderBody makes for the cache, a little are the
// requests that each worker remembers and the main thread's routes.
#include <pthread.h>

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace demo {

using Headers = std::map<std::string, std::string>;

struct Request {
  std::string path;
  Headers headers;
};

// Splits "PATH|name=value|name=value".
Request ParseRequest(std::string_view text) {
  Request request;
  size_t end = text.find('|');
  request.path = text.substr(0, end);
  while (end != std::string_view::npos) {
    text.remove_prefix(end + 1);
    end = text.find('|');
    const std::string_view header = text.substr(0, end);
    const size_t equals = header.find('=');
    request.headers.emplace(header.substr(0, equals),
                            header.substr(equals + 1));
  }
  return request;
}

// Keeps every answer it has ever seen: the leak to be found.
class ResponseCache {
 public:
  void Store(const std::string& path, std::string body) {
    const std::lock_guard<std::mutex> lock(mutex_);
    entries_[path].push_back(std::move(body));
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<std::string>> entries_;
};

std::string RenderBody(const std::string& path, int number) {
  std::string body = "<html>" + path;
  body.append(static_cast<size_t>(2000 + number % 7 * 500), '.');
  return body;
}

class Worker {
 public:
  Worker(std::string name, ResponseCache* cache)
      : name_(std::move(name)), cache_(cache) {}

  void Serve(int requests) {
    pthread_setname_np(pthread_self(), name_.c_str());
    for (int i = 0; i < requests; ++i) Handle(i);
  }

 private:
  void Handle(int number) {
    Request request = ParseRequest("/item/" + std::to_string(number % 100) +
                                   "|host=example.org|accept=text/html");
    cache_->Store(request.path, RenderBody(request.path, number));
    if (number % 2 == 0) history_.push_back(std::move(request));
  }

  std::string name_;
  ResponseCache* cache_;
  std::vector<Request> history_;
};

std::map<int, std::string> LoadRoutes(int count) {
  std::map<int, std::string> routes;
  for (int i = 0; i < count; ++i)
    routes[i] = "/item/" + std::to_string(i) + std::string(100, '*');
  return routes;
}

struct Server {
  std::map<int, std::string> routes;
  ResponseCache cache;
  std::vector<Worker> workers;
};

void RunServer(Server& server, int worker_count, int requests) {
  server.routes = LoadRoutes(5000);
  for (int i = 0; i < worker_count; ++i)
    server.workers.emplace_back("worker " + std::to_string(i), &server.cache);
  std::vector<std::thread> threads;
  for (Worker& worker : server.workers)
    threads.emplace_back(&Worker::Serve, &worker, requests);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace demo

int main() {
  // Never destroyed: the profile is written at exit and shall show all of it.
  static demo::Server& server = *new demo::Server;
  demo::RunServer(server, 4, 4000);
  return 0;
}
