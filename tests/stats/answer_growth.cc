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

double ReadNumber(std::istream& in) {
  double number = 0;
  in >> number;
  return number;
}

MeasuredSide ReadSide(std::istream& in) {
  MeasuredSide side;
  in >> side.mean.value >> side.mean.variance >> side.missed;
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

void AnswerMean(std::istream& in) {
  const double period = ReadNumber(in), dispersion = ReadNumber(in);
  const auto& [mean, missed] = MeanOfRuns(ReadRuns(in), period, dispersion);
  std::cout << mean.value << ' ' << mean.variance << ' ' << missed;
}

void AnswerDispersion(std::istream& in) {
  std::vector<std::vector<Estimate>> sides(static_cast<size_t>(ReadNumber(in)));
  for (std::vector<Estimate>& runs : sides) runs = ReadRuns(in);
  std::cout << OverDispersion(sides);
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
    {"mean", AnswerMean},
    {"dispersion", AnswerDispersion},
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
