// SPDX-License-Identifier: Apache-2.0
//
// The source file for the profiled compiler.
#include <iostream>
#include <map>
#include <regex>
int main() {
  std::map<std::string, int> words;
  std::cout << std::regex_match("aaa", std::regex("a+")) << words.size();
}
