#include "sim/workload/merged_source.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sim/core/random.h"

namespace weir::sim {
namespace {

/// Owns its list.
class Owned final : public RequestSource {
 public:
  explicit Owned(RequestList list) : list_(std::move(list)), source_(list_) {}
  std::span<const SimRequest> next() override { return source_.next(); }
  const std::vector<std::string>& class_names() const override { return list_.class_names; }
  std::vector<std::int64_t> offered_by_class() const override { return source_.offered_by_class(); }
  bool reacts() const override { return true; }
  std::optional<SimRequest> after(const LeftRequest& left) override {
    SimRequest next;
    next.arrival = left.departed + Time::from_seconds(1);
    next.class_index = left.class_index;
    next.chain = left.chain;
    return next;
  }

 private:
  RequestList list_;
  ListSource source_;
};

RequestList list_of(std::vector<std::string> classes, const std::vector<std::pair<double, int>>& arrivals) {
  RequestList list;
  list.class_names = std::move(classes);
  for (const auto& [at_s, c] : arrivals) {
    SimRequest r;
    r.arrival = Time::from_seconds(at_s);
    r.class_index = static_cast<std::int16_t>(c);
    r.client = 7;
    list.requests.push_back(r);
  }
  return list;
}

MergedSource two() {
  std::vector<MergedSource::Part> parts;
  parts.push_back({"chat", std::make_unique<Owned>(list_of({"a", "b"}, {{1, 0}, {2, 1}, {5, 0}}))});
  parts.push_back({"code", std::make_unique<Owned>(list_of({"a"}, {{0.5, 0}, {2, 0}, {9, 0}}))});
  return MergedSource(std::move(parts));
}

TEST(MergedSource, InOrderOfArrivalWithTheClassesOfAllByHand) {
  MergedSource source = two();
  EXPECT_EQ(source.class_names(), (std::vector<std::string>{"chat/a", "chat/b", "code/a"}));
  EXPECT_EQ(source.offered_by_class(), (std::vector<std::int64_t>{2, 1, 3}));
  std::vector<std::pair<double, int>> got;
  for (auto batch = source.next(); !batch.empty(); batch = source.next()) {
    for (const SimRequest& r : batch) {
      got.emplace_back(r.arrival.seconds(), r.class_index);
      EXPECT_EQ(r.client, r.class_index == 2 ? 15 : 14);  // 7 x 2 and 7 x 2 + 1: not the same client
    }
  }
  EXPECT_EQ(got, (std::vector<std::pair<double, int>>{{0.5, 2}, {1, 0}, {2, 1}, {2, 2}, {5, 0}, {9, 2}}));
}

TEST(MergedSource, AnswersGoBackToTheWorkloadTheyAreOf) {
  MergedSource source = two();
  ASSERT_TRUE(source.reacts());
  LeftRequest left;
  left.class_index = 2, left.chain = 3, left.departed = Time::from_seconds(4);
  const auto next = source.after(left);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->class_index, 2);
  EXPECT_EQ(next->chain, 3);
  EXPECT_EQ(next->arrival, Time::from_seconds(5));
}

TEST(MergedSourceProperty, LosesNothingAndKeepsTheOrder) {
  RandomStream dice(5, "merged");
  std::vector<MergedSource::Part> parts;
  std::vector<double> all;
  for (int s = 0; s < 4; ++s) {
    std::vector<std::pair<double, int>> arrivals;
    double at_s = 0;
    for (int i = 0; i < 3000; ++i) arrivals.emplace_back(at_s += dice.exponential(1.0 + s), 0);
    for (const auto& [a, c] : arrivals) all.push_back(Time::from_seconds(a).seconds());
    parts.push_back({"w" + std::to_string(s), std::make_unique<Owned>(list_of({"x"}, arrivals))});
  }
  std::ranges::sort(all);
  MergedSource source(std::move(parts));
  std::vector<double> got;
  for (auto batch = source.next(); !batch.empty(); batch = source.next()) {
    for (const SimRequest& r : batch) got.push_back(r.arrival.seconds());
  }
  EXPECT_EQ(got, all);
}

}  // namespace
}  // namespace weir::sim
