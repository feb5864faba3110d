// SPDX-License-Identifier: Apache-2.0
//
// session_cache SEED OUTPUT
//
// A server with a catalog, which it never changes, and a cache of sessions.
// Threads parse requests, answer them by the catalog, and open sessions; after
// a peak of load, the sessions expire at random, in a thread of their own,
// until one of twenty is left. Products, requests and sessions have one size
// class. Writes how many free bytes each of them keeps in its slabs, as
// jemalloc says. Links libjemalloc.so.2.
#include <array>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "snapshot.h"

namespace demo {

using Random = std::mt19937;

struct Product {
  uint64_t number;
  char text[200];
};

struct Request {
  uint64_t user;
  uint64_t product;
  char text[208];
};

struct Session {
  uint64_t user;
  std::string last_answer;
  char basket[168];
};

struct Catalog {
  std::vector<std::unique_ptr<Product>> products;
};

[[gnu::noinline]] void LoadCatalog(Catalog& catalog) {
  constexpr size_t kProducts = 200000;
  catalog.products.reserve(kProducts);
  for (size_t i = 0; i < kProducts; ++i)
    catalog.products.push_back(std::make_unique<Product>(Product{i, "thing"}));
}

[[gnu::noinline]] std::unique_ptr<Request> ParseRequest(Random& random,
                                                        size_t products) {
  return std::make_unique<Request>(
      Request{random(), random() % products, "GET /"});
}

[[gnu::noinline]] std::unique_ptr<Session> OpenSession(const Request& request,
                                                       const Product& product) {
  return std::make_unique<Session>(
      Session{request.user,
              std::string(20 + request.user % 400, '*'),
              {product.text[0]}});
}

class Cache {
 public:
  void Put(std::unique_ptr<Session> session) {
    Shard& shard = ShardOf(session->user);
    const std::lock_guard lock(shard.mutex);
    shard.sessions[session->user] = std::move(session);
  }
  // Drops all sessions but a few.
  [[gnu::noinline]] void Expire(Random& random, uint32_t one_of) {
    for (Shard& shard : shards_) {
      const std::lock_guard lock(shard.mutex);
      std::erase_if(shard.sessions,
                    [&](const auto&) { return random() % one_of != 0; });
    }
  }
  double Kept() const {
    double sum = 0;
    for (const Shard& shard : shards_)
      for (const auto& [user, session] : shard.sessions) {
        sum += snapshot::FreeShare(session.get());
        // Some answers have the size of a session.
        char* const answer = session->last_answer.data();
        if (malloc_usable_size(answer) == malloc_usable_size(session.get()))
          sum += snapshot::FreeShare(answer);
      }
    return sum;
  }

 private:
  struct Shard {
    std::mutex mutex;
    std::unordered_map<uint64_t, std::unique_ptr<Session>> sessions;
  };
  Shard& ShardOf(uint64_t user) { return shards_[user % shards_.size()]; }

  std::array<Shard, 16> shards_;
};

// Keeps the last requests, as a server does that has not answered them yet.
class Worker {
 public:
  Worker(uint32_t seed, const Catalog& catalog, Cache& cache)
      : random_(seed), catalog_(catalog), cache_(cache) {}

  [[gnu::noinline]] void Serve(size_t requests) {
    constexpr size_t kWaiting = 1000, kNewUser = 4;
    for (size_t i = 0; i < requests; ++i) {
      waiting_.push_back(ParseRequest(random_, catalog_.products.size()));
      if (waiting_.size() < kWaiting) continue;
      const Request& request = *waiting_.front();
      if (request.user % kNewUser == 0)
        cache_.Put(OpenSession(request, *catalog_.products[request.product]));
      waiting_.pop_front();
    }
    waiting_.clear();
    snapshot::Flush();
  }

 private:
  Random random_;
  const Catalog& catalog_;
  Cache& cache_;
  std::deque<std::unique_ptr<Request>> waiting_;
};

Catalog catalog;
Cache cache;

}  // namespace demo

int main(int count, char** arguments) {
  if (count != 3) return 2;
  constexpr size_t kWorkers = 4, kRequests = 400000;
  constexpr uint32_t kLeft = 20;
  const auto seed = static_cast<uint32_t>(atoi(arguments[1]));
  demo::LoadCatalog(demo::catalog);
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kWorkers; ++i)
    threads.emplace_back([=] {
      demo::Worker(seed * kWorkers + i, demo::catalog, demo::cache)
          .Serve(kRequests);
    });
  for (std::thread& thread : threads) thread.join();
  std::thread([seed] {
    demo::Random random(seed);
    demo::cache.Expire(random, kLeft);
    snapshot::Flush();
  }).join();
  double products = 0;
  for (const auto& product : demo::catalog.products)
    products += snapshot::FreeShare(product.get());
  FILE* const output = fopen(arguments[2], "w");
  if (output == nullptr) return 1;
  fprintf(output, "{\"products\": %.0f, \"sessions\": %.0f}\n", products,
          demo::cache.Kept());
  fclose(output);
  return 0;
}
