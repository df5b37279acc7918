#pragma once

#include <string>

#include "reports/charts/figures.h"
#include "reports/document.h"

/// A document with every kind of block, long enough for several pages.
namespace weir::reports::testing {

inline std::string in(Language language, const char* english, const char* chinese) {
  return language == Language::zh_CN ? chinese : english;
}

inline document::Column column(std::string head, document::Align align = document::Align::left, double weight = 1) {
  document::Column c;
  c.head = std::move(head);
  c.align = align;
  c.weight = weight;
  return c;
}

inline document::Cell cell(std::string text, std::optional<data::Evidence> mark = std::nullopt, bool strong = false) {
  document::Cell c;
  c.text = std::move(text);
  c.mark = mark;
  c.strong = strong;
  return c;
}

inline document::Cell option_cell(std::string card, std::string tenure, document::Marker marker, bool strong) {
  document::Cell c = cell(std::move(card), std::nullopt, strong);
  c.muted = std::move(tenure);
  c.marker = marker;
  return c;
}

inline document::Row option_row(Language language, int rank) {
  const double tco = 200.0 * rank;
  const charts::Role role = rank == 2 ? charts::Role::rented : charts::Role::owned;
  const bool chosen = rank == 1;
  document::Cell strip;
  strip.strip = document::Strip{tco * 0.8, tco, tco * 1.2, role};
  document::Row row;
  row.chosen = chosen;
  row.cells = {
      cell(std::to_string(rank)),
      option_cell("H800 SXM5 80GB", in(language, "owned", "自有"), {charts::Shape::circle, role, false}, chosen),
      cell(std::to_string(8 * rank)),
      cell("0." + std::to_string(84 - rank), data::Evidence::measured_elsewhere),
      cell(std::to_string(static_cast<int>(tco)), data::Evidence::assumption, chosen),
      strip,
      cell(rank == 2 ? "\u2013" : "11")};
  return row;
}

inline document::Table ranking_table(Language language) {
  using document::Align;
  document::Table table;
  table.id = "options";
  table.columns = {column("#", Align::right, 0),
                   column(in(language, "Option", "方案")),
                   column(in(language, "Cards", "卡数"), Align::right),
                   column("TTFT\nP99 (s)", Align::right),
                   column(in(language, "TCO\n(k USD)", "总成本\n（万美元）"), Align::right),
                   column("P10\u2013P90"),
                   column(in(language, "Pays back\n(month)", "回本\n（月）"), Align::right)};
  table.columns[5].strip_low = 100;
  table.columns[5].strip_high = 900;
  table.columns[5].strip_low_text = "100";
  table.columns[5].strip_high_text = "900";
  for (int rank = 1; rank <= 3; ++rank) table.rows.push_back(option_row(language, rank));
  document::Cell why = cell(in(language, "misses", "未达标"));
  why.muted = in(language, "TPOT P99 is 74 ms, limit 60 ms. Works with 2 cards per instance.",
                 "TPOT P99 为 74 ms，上限 60 ms。每实例 2 张卡可达标。");
  why.problem = true;
  why.span = 5;
  document::Row missed;
  missed.cells = {cell("\u2013"),
                  option_cell("T4", "", {charts::Shape::triangle_up, charts::Role::text_secondary, true}, false), why};
  table.rows.push_back(missed);
  table.mark_legend = true;
  return table;
}

inline document::Table input_table(Language language, int rows) {
  using document::Align;
  document::Table table;
  table.id = "inputs";
  table.small = true;
  table.columns = {
      column(in(language, "Input", "参数"), Align::left, 0), column(in(language, "Value", "值"), Align::right),
      column(in(language, "Range", "区间"), Align::right), column(in(language, "Source", "来源"), Align::left, 2)};
  for (int i = 1; i <= rows; ++i) {
    const std::string n = std::to_string(i);
    document::Row row;
    row.cells = {
        cell(language == Language::zh_CN ? "第 " + n + " 项参数" : "Input number " + n,
             i % 2 == 0 ? data::Evidence::datasheet : data::Evidence::assumption),
        cell(std::to_string(i * 1111)), cell(std::to_string(i * 1000) + "\u2013" + std::to_string(i * 1300)),
        cell(in(language,
                "a price list that has quite a long name so that it needs a second line on the paper, which is "
                "fine, number ",
                "一份名称很长的价格表，长到在纸面上需要换行，这没有关系，编号 ") +
             n)};
    table.rows.push_back(row);
  }
  return table;
}

inline charts::Scene sample_chart(const charts::Layout& layout) {
  charts::CostOverTime data;
  data.currency = "USD";
  data.curves = {{"Owned", charts::Role::owned, charts::Dash::solid, {300e3, 350e3, 400e3, 450e3}, true},
                 {"Rented", charts::Role::rented, charts::Dash::dashed, {0, 200e3, 400e3, 600e3}, false}};
  return charts::cumulative_cost(data, layout);
}

inline const char* recommendation(Language language) {
  return language == Language::zh_CN
             ? "建议自购一台 8 × H800 服务器，高峰时再租用最多 6 张卡。三年总成本 83.5 万美元（P10–P90：74.3–92.7 "
               "万），"
               "比全部租用少 80.6 万，比按峰值全部自购少 17.3 万。"
             : "Own one server of 8 × H800 and rent up to 6 cards at the peak: 835 thousand USD over three years, "
               "806 thousand less than renting all of it and 173 thousand less than owning for the peak.";
}

inline document::Document sample_document(Language language) {
  using namespace document;
  Document d;
  d.language = language;
  d.title =
      in(language, "Customer-service chat: how many cards, owned or rented", "客服对话服务：买几张卡，自有还是租用");
  d.subject = in(language, "GPU inference: capacity and cost", "GPU 推理：容量与成本");
  d.footer = in(language, "support-chat.weir, price list 2026-05-01, seed 7, Weir 0.2.0",
                "support-chat.weir，价格表 2026-05-01，种子 7，Weir 0.2.0");
  d.date = "2026-05-01";
  Section cover;
  cover.title = in(language, "Recommendation", "建议");
  cover.blocks = {
      Paragraph{in(language, "Load: a day of records, 1.9 million requests. Targets: TTFT P99 ≤ 1.0 s.",
                   "负载：全天实录，193.6 万次请求。目标：TTFT P99 ≤ 1.0 s。"),
                Tone::quiet},
      Paragraph{recommendation(language), Tone::lead},
      Paragraph{in(language, "Both latency targets are met.", "两项时延目标均达标。"), Tone::body},
      KeyFigures{{{in(language, "3-year TCO", "三年总成本"), in(language, "$835k", "83.5 万美元"), "P10–P90"},
                  {in(language, "Pays back", "回本"), in(language, "month 11", "第 11 个月"), "9–13"},
                  {in(language, "Within all limits", "达标请求占比"), "99.3 %", "99.0 %"},
                  {in(language, "Per million tokens", "每百万输出 token"), in(language, "$1.68", "1.68 美元"), ""}}},
      Heading{in(language, "Three ways to have it", "三种持有方式"), 2},
      ranking_table(language),
      Figures{{{"cost", [](const charts::Layout& l) { return std::vector{sample_chart(l)}; },
                in(language, "Bands are P10 to P90.", "色带为 P10–P90。"), true, 300}}},
      EvidenceBar{in(language, "How 143 inputs are known", "143 项输入如何得知"),
                  {{data::Evidence::measured_here, 38},
                   {data::Evidence::measured_elsewhere, 52},
                   {data::Evidence::datasheet, 31},
                   {data::Evidence::assumption, 22}}}};
  Section reasons;
  reasons.title = in(language, "Reasons", "理由");
  reasons.new_page = true;
  reasons.blocks = {
      Heading{in(language, "Why this option", "为什么选它"), 2},
      List{{in(language, "Of 8 candidates 4 meet the targets.", "8 个候选中 4 个达标。"),
            in(language, "It pays back in month 11.", "第 11 个月回本。")},
           std::nullopt},
      List{{in(language, "The server price is an assumption.", "服务器价格为假设。")}, data::Evidence::assumption},
      Paragraph{in(language, "Test the quality before buying.", "购买前请测试质量。"), Tone::problem},
      Figures{{{"a", [](const charts::Layout& l) { return std::vector{sample_chart(l)}; }, "A", false, 260},
               {"b", [](const charts::Layout& l) { return std::vector{sample_chart(l)}; }, "B", false, 260}}}};
  Section inputs;
  inputs.title = in(language, "Inputs", "输入");
  inputs.blocks = {Heading{in(language, "Inputs and their sources", "输入与来源"), 2}, input_table(language, 70)};
  d.sections = {cover, reasons, inputs};
  return d;
}

}  // namespace weir::reports::testing
