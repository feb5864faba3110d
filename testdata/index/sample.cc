// SPDX-License-Identifier: Apache-2.0
//
// Code of many kinds for the index of a checked-in binary: see make.sh.
namespace {

struct Node {
  Node* next;
  int values[8];
};

// An inlined function in a namespace without a name.
inline int Sum(const Node& node) {
  int sum = 0;
  for (const int value : node.values) sum += value;
  return sum;
}

}  // namespace

namespace sample {

template <typename T, int kFactor>
struct Scale {
  __attribute__((noinline)) T operator()(T value) const {
    return value > 0 ? value * kFactor : -value;
  }
};

class List {
 public:
  explicit List(Node* first) : first_(first) {}
  int Total() const;
  template <typename F>
  int Map(const F& function) const;

 private:
  int AddUp(const Node* node) const;
  Node* first_;
};

// Inlined functions within inlined functions, on several lines.
template <typename F>
int List::Map(const F& function) const {
  int total = 0;
  for (const Node* node = first_; node != nullptr; node = node->next) {
    total += function(Sum(*node));
    if (total < 0) break;
  }
  return total;
}

inline int List::AddUp(const Node* node) const {
  return node == nullptr ? 0 : Sum(*node) + AddUp(node->next);
}

__attribute__((noinline)) int List::Total() const {
  if (first_ == nullptr) return Scale<long, 3>()(7) == 21 ? 1 : 2;
  return AddUp(first_);
}

}  // namespace sample

extern "C" int SampleEntry(Node* first, int bias) {
  const sample::List list(first);
  const sample::Scale<int, 2> twice;
  return list.Map([&](int value) { return twice(value) + bias; }) +
         list.Map([](int value) { return value ^ 1; }) + list.Total();
}
