// SPDX-License-Identifier: Apache-2.0
//
// Answers the questions of compare_growth.py, one on each line of the standard
// input: a function of stats/growth.h and its arguments as numbers.
#include <cstddef>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "heapprof/stats/growth.h"
#include "heapprof/stats/run_variation.h"

namespace heapprof {
namespace {

// Streams do not read "inf".
double ReadNumber(std::istream& in) {
  std::string word;
  in >> word;
  return std::stod(word);
}

MeasuredSide ReadSide(std::istream& in) {
  MeasuredSide side;
  for (double* number : {&side.mean.value, &side.mean.variance, &side.missed,
                         &side.between_runs, &side.degrees})
    *number = ReadNumber(in);
  return side;
}

Growth ReadGrowth(std::istream& in) {
  const MeasuredSide now = ReadSide(in);
  return {now, ReadSide(in)};
}

GrowthLimit ReadLimit(std::istream& in) {
  const double ratio = ReadNumber(in);
  return {ratio, ReadNumber(in)};
}

std::vector<Estimate> ReadRuns(std::istream& in) {
  std::vector<Estimate> runs(static_cast<size_t>(ReadNumber(in)));
  for (auto& [value, variance] : runs) in >> value >> variance;
  return runs;
}

void AnswerBounds(std::istream& in) {
  const Growth growth = ReadGrowth(in);
  const double ratio = ReadNumber(in), alpha = ReadNumber(in);
  std::cout << LowerGrowthBound(growth, ratio, alpha) << ' '
            << UpperGrowthBound(growth, ratio, alpha);
}

void AnswerFound(std::istream& in) {
  const double alpha = ReadNumber(in);
  std::vector<GrowthTest> tests(static_cast<size_t>(ReadNumber(in)));
  for (auto& [growth, limit] : tests) {
    growth = ReadGrowth(in);
    limit = ReadLimit(in);
  }
  for (const bool found : FindGrowth(tests, alpha)) std::cout << found << ' ';
}

// The runs of both sides, each divided by their number.
RunEstimates ReadEntry(std::istream& in) {
  RunEstimates entry;
  for (const Side side : {Side::kNew, Side::kBase}) {
    entry[side] = ReadRuns(in);
    const auto count = static_cast<double>(entry[side].size());
    for (auto& [value, variance] : entry[side]) {
      value /= count;
      variance /= count * count;
    }
  }
  return entry;
}

void AnswerVariation(std::istream& in) {
  const RunVariation variation = VariationOf(ReadEntry(in));
  std::cout << variation.sampling << ' ' << variation.degrees;
}

void AnswerCommonVariation(std::istream& in) {
  std::vector<RunEstimates> entries(static_cast<size_t>(ReadNumber(in)));
  for (RunEstimates& entry : entries) entry = ReadEntry(in);
  const RunVariation variation = CommonVariation(entries);
  std::cout << variation.sampling << ' ' << variation.relative << ' '
            << variation.prior_degrees;
}

void AnswerDetectable(std::istream& in) {
  const Growth sides = ReadGrowth(in);
  const GrowthLimit limit = ReadLimit(in);
  const double alpha = ReadNumber(in), power = ReadNumber(in);
  std::cout << DetectableGrowth(sides, limit, alpha, power);
}

const std::map<std::string, std::function<void(std::istream&)>> kAnswers = {
    {"bounds", AnswerBounds},
    {"found", AnswerFound},
    {"variation", AnswerVariation},
    {"common_variation", AnswerCommonVariation},
    {"detectable", AnswerDetectable},
};

void AnswerAll() {
  std::cout.precision(std::numeric_limits<double>::max_digits10);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    std::string question;
    in >> question;
    kAnswers.at(question)(in);
    std::cout << '\n';
  }
}

}  // namespace
}  // namespace heapprof

int main() { heapprof::AnswerAll(); }
