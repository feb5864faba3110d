// SPDX-License-Identifier: Apache-2.0
//
// The chains of a story as lines of text, as all reports show them:
//
//    61.4% ±1.2  Store::SyncThread → rocksdb::DBImpl::Write → Table::Add,
//                table.cc:612
//    24.5% ±0.9  Server::Run → Handler::Call
//    13.1% ±0.6  of it: Session::Open → Cache::Insert, cache.cc:61
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/view/story.h"
#include "heapprof/view/units.h"

namespace heapprof {

// Returns a chain's share and its error, "61.4% ±1.2", or in a comparison its
// change, "+17.5 ± 1.8 MiB".
std::string StoryAmount(const StoryChain& chain, bool is_comparison, Unit unit);

// Returns the amounts of all chains, with blanks so that their numbers end at
// the same place.
std::vector<std::string> StoryAmounts(const std::vector<StoryChain>& story,
                                      bool is_comparison, Unit unit);

// Returns "of it: " for a piece of the last chain that is none.
std::string_view BeforeChain(const StoryChain& chain);

// Returns the functions of a chain and its place, in at most `width` characters
// if possible, of which `used` are taken already: leaves out functions between
// the first and the last one, then the place, then shortens the names. 0: no
// limit.
std::string ChainText(const StoryChain& chain, size_t used, size_t width);

// The width of chains on pages, where names may be long: some lines of text.
inline constexpr size_t kLongestChainOnPage = 500;

struct StoryLayout {
  bool is_comparison = false;
  Unit unit = Unit::kMegabytes;
  size_t columns = 0;  // of the terminal; 0: no limit
};

// Returns a line for each chain.
std::vector<std::string> StoryLines(const std::vector<StoryChain>& story,
                                    const StoryLayout& layout);

}  // namespace heapprof
