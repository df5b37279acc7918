#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "markup_check.h"
#include "reports/report.h"
#include "sample_decision.h"

namespace weir::reports {
namespace {

using ::testing::HasSubstr;
using testing::MarkupCheck;
using ::testing::Not;

const std::set<std::string> kVoid = {"meta", "br", "link", "img"};

TEST(Html, IsWellFormedAndSelfContained) {
  for (const Decision& decision : {testing::sample_decision(), testing::infeasible_decision()}) {
    const std::string html = decision_html(decision);
    MarkupCheck check(html, kVoid);
    ASSERT_EQ(check.problem(), "");
    for (const std::string& element : check.elements()) {
      EXPECT_THAT(element, ::testing::AllOf(Not("script"), Not("link"), Not("img"), Not("iframe"))) << element;
    }
    for (const auto& [name, value] : check.attributes()) {
      EXPECT_NE(name, "src");
      EXPECT_NE(name, "href");
    }
    EXPECT_THAT(html, Not(HasSubstr("url(")));
    EXPECT_THAT(html, Not(HasSubstr("@import")));
  }
}

TEST(Html, IdsAreUnique) {
  MarkupCheck check(decision_html(testing::sample_decision()), kVoid);
  ASSERT_EQ(check.problem(), "");
  const std::set<std::string> unique(check.ids().begin(), check.ids().end());
  EXPECT_EQ(unique.size(), check.ids().size());
  EXPECT_FALSE(unique.empty());
}

TEST(Html, AnswersFirstAndShowsItsProof) {
  const std::string html = decision_html(testing::sample_decision());
  EXPECT_THAT(html, HasSubstr("<p class=\"lead\">Own 2 servers of 4 \u00d7 A100 SXM4 80GB at INT8. "));
  for (const char* figure : {"Figure 1.", "Figure 2.", "Figure 3.", "Figure 4.", "Figure 5."})
    EXPECT_THAT(html, HasSubstr(figure));
}

TEST(Html, UserTextIsEscaped) {
  const std::string html = decision_html(testing::sample_decision());
  EXPECT_THAT(html, HasSubstr("Chat &lt;b&gt;assistant&lt;/b&gt; &amp; more"));
  EXPECT_THAT(html, Not(HasSubstr("<b>assistant")));
}

TEST(Html, SaysWhatIsNotEligibleAndWhy) {
  const std::string html = decision_html(testing::sample_decision());
  EXPECT_THAT(html, HasSubstr("TTFT p99 is 9.50 s with one request"));
  EXPECT_THAT(html, HasSubstr("no server price is known for Test CPU"));
  EXPECT_THAT(html, HasSubstr("published measurement"));
  EXPECT_THAT(html, HasSubstr("Predicted against measured"));
}

TEST(Html, NothingFeasibleIsAnAnswerToo) {
  const std::string html = decision_html(testing::infeasible_decision());
  EXPECT_THAT(html, HasSubstr("None of the 2 options meets the targets."));
  EXPECT_THAT(html, HasSubstr("does not fit: needs 16.1 GB of 14.4 GB usable"));
}

}  // namespace
}  // namespace weir::reports
