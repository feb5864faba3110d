// SPDX-License-Identifier: Apache-2.0
//
// Sorts of many elements, which are not stable. Boost's radix sorts are three
// times as fast as a sort that compares; a build without Boost has only the
// latter. Targets that use this header link heapprof_sort, which decides.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#ifdef HEAPPROF_BOOST_SORT
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <boost/sort/spreadsort/string_sort.hpp>
#endif

namespace heapprof {

// Sorts by `number_of(element)`, an unsigned integer.
template <typename Iterator, typename NumberOf>
void SortByNumber(Iterator first, Iterator last, NumberOf number_of) {
  const auto is_less = [number_of](const auto& a, const auto& b) {
    return number_of(a) < number_of(b);
  };
#ifdef HEAPPROF_BOOST_SORT
  boost::sort::spreadsort::integer_sort(
      first, last,
      [number_of](const auto& element, unsigned shift) {
        return number_of(element) >> shift;
      },
      is_less);
#else
  std::sort(first, last, is_less);
#endif
}

// Sorts by `text_of(element)`, a std::string_view.
template <typename Iterator, typename TextOf>
void SortByText(Iterator first, Iterator last, TextOf text_of) {
  const auto is_less = [text_of](const auto& a, const auto& b) {
    return text_of(a) < text_of(b);
  };
#ifdef HEAPPROF_BOOST_SORT
  boost::sort::spreadsort::string_sort(
      first, last,
      [text_of](const auto& element, size_t at) {
        return static_cast<unsigned char>(text_of(element)[at]);
      },
      [text_of](const auto& element) { return text_of(element).size(); },
      is_less);
#else
  std::sort(first, last, is_less);
#endif
}

}  // namespace heapprof
