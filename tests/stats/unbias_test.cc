// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/unbias.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

struct UnbiasCase {
  double objects;
  double bytes;
  double period;
  double estimated_objects;
  double estimated_bytes;
  double objects_variance;
  double bytes_variance;
};

// Computed with Python's decimal module with 60 digits, from the formulas in
// unbias.h.
constexpr UnbiasCase kCases[] = {
    {4, 4096, 524288, 2.050000651041625e+03, 2.099200666666624e+06,
     1.048575666666730e+06, 1.099511278250733e+12},
    {3, 3145728, 524288, 3.469552928248997e+00, 3.638089931291620e+06,
     5.430462457247328e-01, 6.176281161566641e+11},
    {2, 1048576, 524288, 3.163953413738653e+00, 1.658822807382211e+06,
     1.841347188415585e+00, 5.061456611088951e+11},
    {1, 8, 1, 1.000335575200841e+00, 8.002684601606729e+00,
     3.356878115566646e-04, 6.478275598275622e-01},
    {95, 575961, 16384, 3.071513190380755e+02, 1.862180851205147e+06,
     6.859216576653944e+02, 2.521235765635957e+10},
    {1, 20676, 16384, 1.394890386885043e+00, 2.884075363923514e+04,
     5.508288045392615e-01, 2.354776482342294e+08},
    {1000, 8000, 524288, 6.553650000127157e+07, 5.242920000101725e+08,
     4.294967295916667e+12, 2.748779069386667e+14},
    {7, 5849088, 524288, 8.784725170340151e+00, 7.340375796733504e+06,
     2.239760018003818e+00, 1.563801841365607e+12},
    {1, 5242880, 524288, 1.000045401991010e+00, 5.243118037190625e+06,
     4.540405235047541e-05, 1.780218288857631e+11},
    {1, 367001600, 524288, 1.000000000000000e+00, 3.670016000000000e+08,
     9.859676543759771e-305, 1.780137467072355e+11},
    {1, 4611686018427387904, 524288, 1.000000000000000e+00,
     4.611686018427388e+18, 0.000000000000000e+00, 1.780137467072355e+11},
    {1099511627776, 1125899906842624, 524288, 5.634998881921592e+14,
     5.770238855087711e+17, 2.882302845257602e+17, 3.022313588268836e+23},
    {1, 1, 4611686018427387904, 4.611686018427388e+18, 4.611686018427388e+18,
     2.126764793255865e+37, 2.126764793255865e+37},
    {3, 30, 1, 3.000136205973029e+00, 3.000136205973029e+01,
     1.362121570514262e-04, 1.942918922058340e+00},
    {12345, 678901234, 65536, 2.173725456722625e+04, 1.195419112957637e+09,
     1.653801769850063e+04, 5.001663383477515e+13},
};

// 1 - exp(-u) in doubles, as other tools compute it, loses digits for small u.
double Tolerance(const UnbiasCase& c, double exact) {
  const double u = c.bytes / c.objects / c.period;
  const double epsilon = std::numeric_limits<double>::epsilon();
  const double relative = u < epsilon ? epsilon : epsilon / u;
  return std::abs(exact) * std::max(1e-13, relative);
}

TEST(UnbiasTest, MatchesTheFormulasComputedWithManyDigits) {
  for (const UnbiasCase& c : kCases) {
    const Unbiased result = Unbias(c.objects, c.bytes, c.period);
    SCOPED_TRACE(testing::Message()
                 << c.objects << ": " << c.bytes << " at " << c.period);
    EXPECT_NEAR(result.objects.value, c.estimated_objects,
                Tolerance(c, c.estimated_objects));
    EXPECT_NEAR(result.bytes.value, c.estimated_bytes,
                Tolerance(c, c.estimated_bytes));
    EXPECT_NEAR(result.objects.variance, c.objects_variance,
                Tolerance(c, c.objects_variance));
    EXPECT_NEAR(result.bytes.variance, c.bytes_variance,
                Tolerance(c, c.bytes_variance));
  }
}

TEST(UnbiasTest, PrintsTheDigitsThatJeprofPrints) {
  EXPECT_EQ(std::trunc(Unbias(4, 4096, 524288).objects.value), 2050);
  EXPECT_EQ(std::trunc(Unbias(4, 4096, 524288).bytes.value), 2099200);
  EXPECT_EQ(std::trunc(Unbias(3, 3145728, 524288).bytes.value), 3638089);
  EXPECT_EQ(std::trunc(Unbias(2, 1048576, 524288).bytes.value), 1658822);
  EXPECT_EQ(std::trunc(Unbias(1, 20676, 16384).bytes.value), 28840);
}

TEST(UnbiasTest, GivesZerosForNoObjectsOrNoBytes) {
  for (const auto& [objects, bytes] :
       {std::pair{0.0, 0.0}, {0.0, 4096.0}, {4.0, 0.0}}) {
    const Unbiased result = Unbias(objects, bytes, 524288);
    EXPECT_EQ(result.objects.value, 0);
    EXPECT_EQ(result.objects.variance, 0);
    EXPECT_EQ(result.bytes.value, 0);
    EXPECT_EQ(result.bytes.variance, 0);
  }
}

TEST(UnbiasTest, StaysFiniteAtTheEdgesOfItsRange) {
  const double kLargest = std::ldexp(1.0, 63);
  for (double objects : {1.0, kLargest})
    for (double bytes : {1.0, kLargest})
      for (double period : {1.0, 524288.0, kLargest}) {
        const Unbiased result = Unbias(objects, bytes, period);
        for (double value : {result.objects.value, result.objects.variance,
                             result.bytes.value, result.bytes.variance}) {
          EXPECT_TRUE(std::isfinite(value))
              << objects << ' ' << bytes << ' ' << period;
          EXPECT_GE(value, 0);
        }
        EXPECT_GE(result.bytes.value, bytes);
        EXPECT_GE(result.objects.value, objects);
      }
}

TEST(UnbiasTest, HasAnErrorAsLargeAsAnyMixOfSizesWithTheSameMean) {
  // Per estimated object, a size of 1.594 periods is the worst. A larger mean
  // may hide objects of that size, so its variance must not fall.
  double previous = 0;
  for (double size = 0.01; size < 100; size *= 1.3) {
    const Unbiased result = Unbias(1, size, 1);
    const double per_object = result.bytes.variance / result.objects.value;
    EXPECT_GE(per_object, previous * (1 - 1e-15)) << size;
    previous = per_object;
  }
  EXPECT_NEAR(previous, 0.6476102378919149, 1e-12);
}

TEST(UnbiasOneSizeTest, HasTheErrorOfObjectsOfThisSize) {
  for (const double size : {8.0, 4096.0, 1e6, 1e8}) {
    const Unbiased mixed = Unbias(3, 3 * size, 524288);
    const Unbiased one_size = UnbiasOneSize(3, size, 524288);
    EXPECT_EQ(one_size.objects.value, mixed.objects.value);
    EXPECT_EQ(one_size.bytes.value, mixed.bytes.value);
    EXPECT_EQ(one_size.objects.variance, mixed.objects.variance);
    // The variance of N objects that are sampled with probability p = 3/N is
    // N*(1-p)/p objects, of equal size.
    const double p = 3 / one_size.objects.value;
    EXPECT_NEAR(one_size.bytes.variance / (size * size),
                one_size.objects.value * (1 - p) / p,
                1e-6 * one_size.objects.variance + 1e-9);
  }
  EXPECT_EQ(UnbiasOneSize(0, 0, 524288).bytes.variance, 0);
}

TEST(InvertUnbiasTest, FindsTheIntegersOfAnEstimate) {
  for (const double period : {1.0, 512.0, 524288.0})
    for (const double objects : {1.0, 3.0, 1000.0, 123456789.0})
      for (const double size : {1.0, 8.0, 37.5, 4096.0, 1048576.0, 3e7}) {
        const double bytes = std::round(objects * size);
        const Unbiased estimate = Unbias(objects, bytes, period);
        const auto count =
            InvertUnbias(estimate.objects.value, estimate.bytes.value, period);
        ASSERT_TRUE(count) << objects << ' ' << bytes << ' ' << period;
        EXPECT_EQ(static_cast<double>(count->objects), objects);
        EXPECT_EQ(static_cast<double>(count->bytes), bytes);
      }
  ASSERT_TRUE(InvertUnbias(0, 0, 512));
  EXPECT_EQ(InvertUnbias(0, 0, 512)->bytes, 0u);
}

TEST(InvertUnbiasTest, RejectsNumbersThatAreNotEstimates) {
  EXPECT_FALSE(InvertUnbias(0, 4096, 512));
  EXPECT_FALSE(InvertUnbias(1, 0, 512));
  EXPECT_FALSE(InvertUnbias(-1, -4096, 512));
  EXPECT_FALSE(InvertUnbias(1000, 8000, 1));  // 8 bytes: 1.000335 each
  EXPECT_FALSE(InvertUnbias(2050.5, 2099200.7, 524288));
  // Too large for a double to tell an integer from the next one.
  EXPECT_FALSE(InvertUnbias(1, std::ldexp(1.0, 60), 524288));
}

TEST(ScaleTest, LeavesWhatWasCountedAsItIs) {
  const Unbiased result = Scale(Scaling::kNone, 3, 1000, 512);
  EXPECT_EQ(result.objects.value, 3);
  EXPECT_EQ(result.bytes.value, 1000);
  EXPECT_EQ(result.bytes.variance, 0);
}

TEST(ScaleTest, OfTheOldFormatChangesOnlyObjectsBelowThePeriod) {
  const Unbiased small = Scale(Scaling::kV1, 4, 1024, 512);
  EXPECT_EQ(small.objects.value, 8);
  EXPECT_EQ(small.bytes.value, 2048);
  const Unbiased large = Scale(Scaling::kV1, 4, 3072, 512);
  EXPECT_EQ(large.objects.value, 4);
  EXPECT_EQ(large.bytes.value, 3072);
  EXPECT_EQ(large.bytes.variance, Unbias(4, 3072, 512).bytes.variance);
}

TEST(ScaleTest, OfTheNewFormatUnbiases) {
  const Unbiased result = Scale(Scaling::kV2, 4, 3072, 512);
  EXPECT_EQ(result.bytes.value, Unbias(4, 3072, 512).bytes.value);
}

TEST(EstimateTest, AddsValuesAndVariances) {
  Estimate sum = {.value = 1, .variance = 2};
  sum += {.value = 10, .variance = 20};
  EXPECT_EQ(sum.value, 11);
  EXPECT_EQ(sum.variance, 22);
}

TEST(WithVarianceTest, HasTheVariancesOfUnbiasedValues) {
  for (const UnbiasCase& c : kCases) {
    SCOPED_TRACE(testing::Message()
                 << c.objects << ": " << c.bytes << " at " << c.period);
    for (double sign : {1.0, -1.0}) {
      const Unbiased result = WithVariance(sign * c.estimated_objects,
                                           sign * c.estimated_bytes, c.period);
      EXPECT_EQ(result.objects.value, sign * c.estimated_objects);
      EXPECT_EQ(result.bytes.value, sign * c.estimated_bytes);
      EXPECT_NEAR(result.bytes.variance, c.bytes_variance,
                  c.bytes_variance * 1e-12);
    }
  }
}

TEST(WithVarianceTest, BoundsTheVarianceOfBytesWithoutACount) {
  EXPECT_EQ(WithVariance(0, 1000, 512).bytes.variance, 512000);
  EXPECT_EQ(WithVariance(0, -1000, 512).bytes.variance, 512000);
}

TEST(WithVarianceTest, KnowsNoVarianceWithoutAPeriod) {
  const Unbiased result = WithVariance(10, 1000, 0);
  EXPECT_EQ(result.bytes.value, 1000);
  EXPECT_EQ(result.bytes.variance, 0);
  EXPECT_EQ(result.objects.variance, 0);
}

}  // namespace
}  // namespace heapprof
