// SPDX-License-Identifier: Apache-2.0
//
// Functions whose names differ between compilers and optimization levels: a
// static one, lambdas, instances of a template, also with types that have no
// linkage. Compiled with -DCHANGED, a
// lambda has another number, a function is at another place, and one has
// another parameter.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "hold.h"

namespace demo {

// A function that ends with a call may jump to its callee, and is then not on
// the stack.
volatile int calls;
#define CALL(...) \
  __VA_ARGS__;    \
  demo::calls = demo::calls + 1

#ifdef CHANGED
#define PARAMETERS int blocks, bool
#define ARGUMENTS 40, true
#else
#define PARAMETERS int blocks
#define ARGUMENTS 40
#endif

void Early(PARAMETERS) {
  for (int i = 0; i < blocks; ++i) hold::Keep(std::malloc(1000));
}

#ifndef CHANGED
void Moved() {
  for (int i = 0; i < 30; ++i) hold::Keep(std::malloc(2000));
}
#endif

static void Insert(int size) {
  hold::Keep(std::malloc(static_cast<size_t>(size)));
}

template <unsigned long Size>
static void Handle() {
  CALL(Insert(static_cast<int>(Size * 1000)));
}

void Call(const std::function<void(int)>& function) {
  for (int i = 0; i < 20; ++i) function(3000);
}

void Lambdas() {
#ifdef CHANGED
  const auto first = [](int size) { return size; };
  if (first(1) == 0) std::abort();
#endif
  CALL(Call([](int size) { CALL(Insert(size)); }));
}

#ifdef CHANGED
void Moved() {
  for (int i = 0; i < 30; ++i) hold::Keep(std::malloc(2000));
}
#endif

namespace {

enum class Kind : char { kNone, kSome = 'x' };

struct Rows {
  void Add(unsigned long size) && { CALL(Insert(static_cast<int>(size))); }
};

// gcc leaves the linkage name of such an instance out of the debug information,
// and spells its arguments in another way than demanglers do.
template <typename T, Kind K, char C, short N>
T* Fill(unsigned long size) {
  CALL(Insert(static_cast<int>(size) + N + C + static_cast<int>(K)));
  return nullptr;
}

}  // namespace

template <typename F, typename... Args>
auto Apply(F&& function, Args&&... arguments) {
  auto result = function(std::forward<Args>(arguments)...);
  calls = calls + 1;
  return result;
}

void NoLinkage(size_t size) {
  struct Local {
    unsigned long Grow(unsigned long more) {
      CALL(Insert(static_cast<int>(more)));
      return more;
    }
  };
  const std::string text = "text";
  CALL(Local().Grow(size + 1000));
  CALL(Rows().Add(size + 2000));
  CALL((Fill<const Rows*, Kind::kSome, 'a', 4>(size + 3000)));
  CALL((Fill<std::vector<Local>, Kind::kNone, '\n', -4>(size + 4000)));
  CALL((Fill<unsigned long(long, char*), Kind::kNone, ',', 2>(size + 5000)));
  Apply(
      [&text](unsigned long more, const std::string& name) {
        CALL(Insert(static_cast<int>(more + text.size() + name.size())));
        return [=] {
          CALL(Insert(static_cast<int>(more)));
          return more;
        }();
      },
      size + 6000, text);
}

}  // namespace demo

template <typename T>
int Global(T function) {
  const int result = function(8000);
  demo::calls = demo::calls + 1;
  return result;
}

int main() {
  CALL(demo::Early(ARGUMENTS));
  CALL(demo::Moved());
  CALL(demo::Handle<4>());
  CALL(demo::Handle<50>());
  CALL(demo::Lambdas());
  CALL(demo::NoLinkage(static_cast<size_t>(demo::calls % 2)));
  Global([](int size) {
    CALL(demo::Insert(size));
    return size;
  });
  [] { CALL(demo::Insert(60000)); }();
  return 0;
}
