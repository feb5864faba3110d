// SPDX-License-Identifier: Apache-2.0
//
// Functions whose names differ between compilers and optimization levels: a
// static one, lambdas, instances of a template. Compiled with -DCHANGED, a
// lambda has another number, a function is at another place, and one has
// another parameter.
#include <functional>
#include <utility>

#include "hold.h"

namespace demo {

// A function that ends with a call may jump to its callee, and is then not on
// the stack.
volatile int calls;
#define CALL(call) \
  call;            \
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

}  // namespace demo

int main() {
  CALL(demo::Early(ARGUMENTS));
  CALL(demo::Moved());
  CALL(demo::Handle<4>());
  CALL(demo::Handle<50>());
  CALL(demo::Lambdas());
  [] { CALL(demo::Insert(60000)); }();
  return 0;
}
