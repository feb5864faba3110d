// SPDX-License-Identifier: Apache-2.0
//
// A server in miniature, for the recipes of `heapprof help ci`: it holds a
// catalog of 40 MB and the sessions of the users that are logged in, 2 MB.
// Compiled with -DLEAK, it forgets to drop the sessions of those that log out:
// 18 MB more. As most servers, it frees all of it before the process ends.
#include <map>
#include <string>
#include <vector>

namespace demo {

std::vector<std::string> LoadCatalog() {
  std::vector<std::string> pages;
  pages.reserve(20000);
  for (int i = 0; i < 20000; ++i) pages.emplace_back(2000, '*');
  return pages;
}

class Sessions {
 public:
  void Login(int user) { open_[user] = std::string(4000, '*'); }

  void Logout([[maybe_unused]] int user) {
#ifndef LEAK
    open_.erase(user);
#endif
  }

 private:
  std::map<int, std::string> open_;
};

// One user in ten stays.
void Serve(Sessions& sessions) {
  for (int user = 0; user < 5000; ++user) {
    sessions.Login(user);
    if (user % 10 != 0) sessions.Logout(user);
  }
}

struct Server {
  std::vector<std::string> catalog = LoadCatalog();
  Sessions sessions;
};

Server server;

}  // namespace demo

int main() {
  demo::Serve(demo::server.sessions);
  return 0;
}
