// SPDX-License-Identifier: Apache-2.0
//
// parse_speed FILE
//
// Parses a profile five times and prints the median throughput of the parser
// in 10^6 bytes per second of CPU time, which does not depend on how busy the
// machine is, and the contents of the profile. Not a test: it cannot fail.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>

#include <fmt/format.h>

#include "heapprof/io/input_file.h"
#include "heapprof/parse/parse_profile.h"

namespace heapprof {
namespace {

int Measure(const std::string& path) {
  const Result<InputFile> file = InputFile::Open(path);
  if (!file) {
    std::cerr << file.error().message << '\n';
    return EXIT_FAILURE;
  }
  std::array<double, 5> seconds;
  std::string content;
  for (double& run : seconds) {
    Diagnostics diagnostics;
    const std::clock_t begin = std::clock();
    const Result<Profile> profile =
        ParseProfile(file->bytes(), path, diagnostics);
    run = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (!profile) {
      std::cerr << profile.error().message << '\n';
      return EXIT_FAILURE;
    }
    content =
        fmt::format("{} stacks, {} frames, {} locations, {} samples",
                    profile->stacks.size() - 1, profile->frames.size(),
                    profile->locations.size() - 1, profile->samples.size());
  }
  std::ranges::sort(seconds);
  const double median = seconds[seconds.size() / 2];
  std::cout << fmt::format(
      "{:.0f} MB/s ({})\n",
      static_cast<double>(file->bytes().size()) / 1e6 / median, content);
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace heapprof

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: parse_speed FILE\n";
    return 2;
  }
  return heapprof::Measure(argv[1]);
}
