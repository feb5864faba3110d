// SPDX-License-Identifier: Apache-2.0
#include "heapprof/demangle/demangle.h"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "demangle/demangle_here.h"
#include "demangle/demangle_name.h"
#include "heapprof/base/start_processor.h"

namespace heapprof {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// A name that takes more CPU time than kMaxTimePerName is skipped (ordinary
// names take microseconds). After kMaxStalls such names, all remaining names
// are skipped, too. The time is checked every kWatchInterval.
constexpr nanoseconds kMaxTimePerName = milliseconds(30);
constexpr nanoseconds kWatchInterval = milliseconds(10);
constexpr int kMaxStalls = 20;

// The names are divided into at most kMaxParts batches of at least kMinPartSize
// names, which the threads share. The number of batches does not depend on the
// number of threads.
constexpr size_t kMaxParts = 16;
constexpr size_t kMinPartSize = 512;

// The suffix of the names of stubs in the procedure linkage table
// ("malloc@plt").
constexpr std::string_view kStubSuffix = "@plt";

// ThreadSanitizer does not know pthread_clockjoin_np(), so it would not notice
// that a thread has ended. Builds with ThreadSanitizer use
// pthread_timedjoin_np() instead.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HEAPPROF_WITHOUT_CLOCKJOIN
#endif
#endif
#ifdef HEAPPROF_WITHOUT_CLOCKJOIN
constexpr clockid_t kJoinClock = CLOCK_REALTIME;
#else
constexpr clockid_t kJoinClock = CLOCK_MONOTONIC;
#endif

struct Batch {
  std::span<const std::string_view> names;
  std::span<std::string> results;   // empty: not demangled
  std::atomic<size_t> current = 0;  // index of the name being demangled
  // True if a name was skipped because of the limits on time.
  std::atomic<bool> has_skipped = false;
  std::atomic<bool> is_done = false;  // the results are final
};

// Completes a batch: a name that was not demangled becomes its own result, and
// threads that wait for the batch are woken.
void FinishBatch(Batch& batch) {
  for (size_t i = 0; i < batch.names.size(); ++i)
    if (batch.results[i].empty()) batch.results[i] = batch.names[i];
  batch.is_done = true;
  batch.is_done.notify_all();
}

// Demangles the names of `batch` from `batch.current` on. `limit` limits the
// time for each name; it is null if another thread watches the time.
void RunBatch(Batch& batch, NameTimeLimit* limit) {
  DemangleSink sink;
  std::string mangled;
  for (size_t i = batch.current; i < batch.names.size(); batch.current = ++i) {
    if (!IsMangled(batch.names[i])) continue;
    mangled = batch.names[i];
    const bool is_stub = mangled.ends_with(kStubSuffix);
    if (is_stub) mangled.resize(mangled.size() - kStubSuffix.size());
    if (limit != nullptr) {
      if (limit->exceeded() >= kMaxStalls) break;
      limit->Restart(sink);
    }
    if (!DemangleName(mangled, sink)) continue;
    batch.results[i].assign(sink.text.data(), sink.size);
    if (is_stub) batch.results[i] += kStubSuffix;
  }
  if (limit != nullptr) {
    limit->Stop();
    // Perhaps a name of an earlier batch, which does no harm.
    if (limit->exceeded() > 0) batch.has_skipped = true;
  }
  FinishBatch(batch);
}

// The batches, which threads take one by one.
class Queue {
 public:
  // `batches` must outlive the queue.
  explicit Queue(const std::vector<Batch*>& batches) : batches_(batches) {}

  // Returns nullptr if there are no more.
  Batch* Take() {
    const size_t i = next_++;
    return i < batches_.size() ? batches_[i] : nullptr;
  }

 private:
  const std::vector<Batch*>& batches_;
  std::atomic<size_t> next_ = 0;
};

struct Worker {
  Queue& queue;
  std::optional<StartProcessor> processor = {};
  std::atomic<Batch*> batch = nullptr;  // the one being worked on
  NameTimeLimit* limit = nullptr;
};

void* Work(void* opaque) {
  auto& worker = *static_cast<Worker*>(opaque);
  if (worker.processor) worker.processor->Release();
  while (Batch* batch = worker.queue.Take()) {
    worker.batch = batch;
    RunBatch(*batch, worker.limit);
  }
  return nullptr;
}

std::optional<pthread_t> StartAsSet(Worker& worker) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return std::nullopt;
  pthread_t thread;
  const bool started =
      pthread_attr_setstacksize(&attributes, kDemangleStackSize) == 0 &&
      (!worker.processor || worker.processor->SetIn(attributes)) &&
      pthread_create(&thread, &attributes, Work, &worker) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) return std::nullopt;
  return thread;
}

// If the system does not let the thread begin on its processor, starts it on
// any.
std::optional<pthread_t> Start(Worker& worker) {
  if (const auto thread = StartAsSet(worker)) return thread;
  if (!std::exchange(worker.processor, {})) return std::nullopt;
  return StartAsSet(worker);
}

nanoseconds ToDuration(const timespec& time) {
  return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

// Returns true if the thread ended within `timeout`.
bool JoinWithin(pthread_t thread, nanoseconds timeout) {
  timespec now{};
  clock_gettime(kJoinClock, &now);
  const nanoseconds until = ToDuration(now) + timeout;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(until);
  const timespec deadline{.tv_sec = seconds.count(),
                          .tv_nsec = (until - seconds).count()};
#ifdef HEAPPROF_WITHOUT_CLOCKJOIN
  return pthread_timedjoin_np(thread, nullptr, &deadline) == 0;
#else
  return pthread_clockjoin_np(thread, nullptr, kJoinClock, &deadline) == 0;
#endif
}

// Returns the CPU time that the thread has used. The limit for a name is on CPU
// time rather than elapsed time, so that the results do not depend on how busy
// the machine is.
std::optional<nanoseconds> CpuTime(pthread_t thread) {
  clockid_t clock{};
  timespec time{};
  if (pthread_getcpuclockid(thread, &clock) != 0 ||
      clock_gettime(clock, &time) != 0)
    return std::nullopt;
  return ToDuration(time);
}

// The batch on which a worker is working, and the index of the name that it is
// demangling.
struct Progress {
  Batch* batch = nullptr;
  size_t name = 0;

  bool operator==(const Progress&) const = default;
};

Progress ProgressOf(const Worker& worker) {
  Batch* batch = worker.batch;
  return {batch, batch == nullptr ? 0 : batch->current.load()};
}

// Waits until `thread` has emptied the queue. If a name takes too long, cancels
// the thread, skips the name and returns false; the rest of the name's batch
// then remains to be done.
bool Supervise(pthread_t thread, const Worker& worker) {
  Progress watched = ProgressOf(worker);
  // Not 0, because the thread may have been running for a while.
  nanoseconds since = CpuTime(thread).value_or(nanoseconds(0));
  while (!JoinWithin(thread, kWatchInterval)) {
    if (worker.processor) worker.processor->BringHere(thread);
    const std::optional<nanoseconds> now = CpuTime(thread);
    if (!now) continue;  // the thread has just ended
    const Progress progress = ProgressOf(worker);
    if (progress != watched) {
      watched = progress;
      since = *now;
    } else if (*now - since > kMaxTimePerName) {
      pthread_cancel(thread);
      pthread_join(thread, nullptr);
      if (ProgressOf(worker) == watched && watched.batch != nullptr) {
        watched.batch->current = watched.name + 1;
        watched.batch->has_skipped = true;
      }
      return false;
    }
  }
  return true;
}

// Works on the batches in `queue`, in a new thread if one can be started,
// otherwise in this thread. Returns false if a name took too long and the
// thread was cancelled; the rest of the name's batch and of the queue then
// remains to be done.
bool RunUntilStall(Queue& queue) {
  Worker worker = {.queue = queue};
  if (const std::optional<pthread_t> thread = Start(worker))
    return Supervise(*thread, worker);
  NameTimeLimit limit(kMaxTimePerName);
  worker.limit = &limit;
  RunOnOwnStack(kDemangleStackSize, [&worker] { Work(&worker); });
  return true;
}

}  // namespace

class Demangling::Job {
 public:
  Job(std::vector<std::string_view> names, unsigned jobs)
      : names_(std::move(names)),
        results_(names_.size()),
        part_size_(std::max(kMinPartSize,
                            (names_.size() + kMaxParts - 1) / kMaxParts)) {
    for (size_t first = 0; first < names_.size(); first += part_size_) {
      const size_t size = std::min(part_size_, names_.size() - first);
      Batch& part =
          parts_.emplace_back(std::span(names_).subspan(first, size),
                              std::span(results_).subspan(first, size));
      if (std::ranges::any_of(part.names, IsMangled))
        mangled_.push_back(&part);
      else
        FinishBatch(part);
    }
    // A single worker may begin here, because this thread only waits for it.
    const size_t count = std::min<size_t>(jobs, mangled_.size());
    for (size_t i = 0; i < count; ++i)
      workers_.emplace_back(
          queue_, count > 1 ? StartProcessor::ForThread(i) : std::nullopt);
    // Reserve memory before the threads start. Once they run, nothing here may
    // throw, because unwinding would destroy the data that they use.
    started_.reserve(workers_.size());
    for (Worker& worker : workers_) started_.push_back(Start(worker));
    if (jobs < 2 || mangled_.empty() || !RunInBackground()) Run();
  }

  bool IsDone(size_t i) const { return parts_[i / part_size_].is_done; }
  const std::string& Get(size_t i) const {
    parts_[i / part_size_].is_done.wait(false);
    return results_[i];
  }
  bool IsFinal(size_t i) const {
    return Get(i) != names_[i] || !parts_[i / part_size_].has_skipped;
  }

 private:
  // Returns false if no thread can be started.
  bool RunInBackground() {
    try {
      thread_ = std::jthread([this] { Run(); });
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

  // Waits for the threads, one after the other. If a thread was cancelled,
  // starts another one in its place, until the queue is empty. Then completes
  // the batches in which names were skipped.
  void Run() {
    int stalls = 0;
    for (size_t i = 0; i < started_.size(); ++i) {
      if (!started_[i] || Supervise(*started_[i], workers_[i])) continue;
      ++stalls;
      while (!RunUntilStall(queue_)) ++stalls;
    }
    for (Batch* part : mangled_) {
      const std::vector<Batch*> rest = {part};
      while (!part->is_done && stalls < kMaxStalls) {
        Queue queue(rest);
        if (RunUntilStall(queue)) break;
        ++stalls;
      }
      if (part->is_done) continue;
      part->has_skipped = true;
      FinishBatch(*part);
    }
  }

  std::vector<std::string_view> names_;
  std::vector<std::string> results_;
  size_t part_size_;
  std::deque<Batch> parts_;
  std::vector<Batch*> mangled_;
  Queue queue_{mangled_};
  std::deque<Worker> workers_;
  std::vector<std::optional<pthread_t>> started_;  // nothing: not started
  std::jthread thread_;  // last: uses all other members
};

Demangling::Demangling(std::vector<std::string_view> names, unsigned jobs)
    : job_(std::make_unique<Job>(std::move(names), jobs)) {}

Demangling::~Demangling() = default;

bool Demangling::IsReady(size_t i) const { return job_->IsDone(i); }

const std::string& Demangling::Get(size_t i) const { return job_->Get(i); }

bool Demangling::IsFinal(size_t i) const { return job_->IsFinal(i); }

std::vector<std::string> DemangleAll(std::span<const std::string_view> names,
                                     unsigned jobs) {
  const Demangling demangling({names.begin(), names.end()}, jobs);
  std::vector<std::string> results;
  results.reserve(names.size());
  for (size_t i = 0; i < names.size(); ++i)
    results.push_back(demangling.Get(i));
  return results;
}

}  // namespace heapprof
