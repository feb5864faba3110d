// SPDX-License-Identifier: Apache-2.0
//
// Sorts of many elements, which are not stable. Boost's radix sorts are three
// times as fast as a sort that compares; a build without Boost has only the
// latter. Targets that use this header link heapprof_sort, which decides.
#pragma once

#include <algorithm>
#include <cstddef>

#ifdef HEAPPROF_BOOST_SORT
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <boost/sort/spreadsort/string_sort.hpp>
#endif

namespace heapprof {

// Returns a function that compares two elements by `key_of(element)`.
template <typename KeyOf>
auto LessBy(KeyOf key_of) {
  return
      [key_of](const auto& a, const auto& b) { return key_of(a) < key_of(b); };
}

// Sorts by `number_of(element)`, an unsigned integer.
template <typename Iterator, typename NumberOf>
void SortByNumber(Iterator first, Iterator last, NumberOf number_of) {
#ifdef HEAPPROF_BOOST_SORT
  boost::sort::spreadsort::integer_sort(
      first, last,
      [number_of](const auto& element, unsigned shift) {
        return number_of(element) >> shift;
      },
      LessBy(number_of));
#else
  std::sort(first, last, LessBy(number_of));
#endif
}

// Sorts by `text_of(element)`, a std::string_view.
template <typename Iterator, typename TextOf>
void SortByText(Iterator first, Iterator last, TextOf text_of) {
#ifdef HEAPPROF_BOOST_SORT
  boost::sort::spreadsort::string_sort(
      first, last,
      [text_of](const auto& element, size_t at) {
        return static_cast<unsigned char>(text_of(element)[at]);
      },
      [text_of](const auto& element) { return text_of(element).size(); },
      LessBy(text_of));
#else
  std::sort(first, last, LessBy(text_of));
#endif
}

}  // namespace heapprof
