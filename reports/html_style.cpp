#include "reports/html_parts.h"

namespace weir::reports::html {
namespace {

/// A string literal of CSS: quotes, backslashes and what could end the style element are escaped by code point.
std::string css_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '<' || static_cast<unsigned char>(c) < 0x20) {
      constexpr char kHex[] = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(c);
      out += std::string("\\0000") + kHex[byte >> 4U] + kHex[byte & 15U];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

constexpr std::string_view kRules = R"css(
:root { --text:#1C2024; --text2:#565D66; --control:#868D96; --line:#DADDE1; --grid:#E8EAED; --accent:#0072B2;
  --problem:#A84300; color-scheme: light; }
* { box-sizing: border-box; }
html { background:#FFFFFF; }
body { margin:0 auto; padding:24px 28px 40px; max-width:1180px; color:var(--text); background:#FFFFFF;
  font:13px/19px "Noto Sans","Segoe UI","Helvetica Neue",Arial,"Noto Sans CJK SC","PingFang SC","Microsoft YaHei",
  "WenQuanYi Zen Hei",sans-serif; font-variant-numeric: tabular-nums; }
header, footer { display:flex; justify-content:space-between; gap:20px; font-size:11px; line-height:16px;
  color:var(--text2); }
.brand { font-size:14px; line-height:20px; color:var(--text); letter-spacing:.02em; }
footer { margin-top:40px; border-top:1px solid var(--line); padding-top:8px; }
.subject { color:var(--text2); margin:28px 0 2px; }
h1 { font-size:28px; line-height:38px; font-weight:400; margin:0 0 8px; }
h2 { font-size:17px; line-height:24px; font-weight:600; margin:40px 0 8px; }
h3 { font-size:13px; line-height:19px; font-weight:600; margin:24px 0 4px; }
p { margin:4px 0 10px; max-width:860px; }
h1 + .quiet { border-bottom:2px solid var(--text); padding-bottom:14px; max-width:none; }
.quiet, .caption { color:var(--text2); }
.lead { font-size:18px; line-height:29px; margin:16px 0 0; max-width:1000px; }
.caption { font-size:11px; line-height:16px; margin:4px 0 0; }
p.problem { color:var(--problem); font-weight:600; }
ul { margin:8px 0 16px; padding-left:18px; max-width:900px; }
li { margin:3px 0; }
dl.figures { display:flex; flex-wrap:wrap; margin:24px 0 8px; row-gap:16px; }
dl.figures div { flex:1 1 auto; padding:0 20px; border-left:1px solid var(--line); display:flex;
  flex-direction:column; }
dl.figures div:first-child { padding-left:0; border-left:0; }
dl.figures dt { font-size:11px; line-height:16px; color:var(--text2); }
dl.figures dd { margin:0; }
dl.figures dd.big { font-size:22px; line-height:31px; }
dl.figures dd.sub { font-size:11px; line-height:16px; color:var(--text2); }
.scroll { overflow-x:auto; margin-top:8px; }
table { border-collapse:collapse; width:100%; }
th { font-weight:400; font-size:11px; line-height:15px; color:var(--text2); text-align:left; vertical-align:bottom;
  padding:4px 12px 5px 0; border-bottom:1px solid var(--control); }
td { padding:4px 12px 4px 0; border-bottom:1px solid var(--grid); vertical-align:top; }
th.num, td.num { text-align:right; white-space:nowrap; }
td.nowrap { white-space:nowrap; }
td:first-child, th:first-child { padding-left:8px; }
td:last-child, th:last-child { padding-right:8px; }
td.strong, b { font-weight:600; }
tr.chosen td { border-top:1px solid var(--accent); border-bottom:1px solid var(--accent); }
tr.chosen td:first-child { box-shadow: inset 3px 0 0 var(--accent); }
.name { white-space:nowrap; }
table.narrow { width:auto; min-width:min(620px, 100%); } .narrow td, .narrow th { padding-right:28px; }
tr.total td { border-bottom-color:var(--line); }
td[title] { cursor:help; }
.muted { color:var(--text2); }
td .problem { color:var(--problem); font-weight:600; white-space:nowrap; }
.mark { margin-right:5px; vertical-align:-1px; }
.legend .mark { margin-right:2px; }
svg.marker { margin-right:6px; vertical-align:-2px; }
svg.strip { display:block; margin-top:3px; }
.ends { display:flex; justify-content:space-between; width:104px; }
.legend { display:flex; flex-wrap:wrap; gap:4px 20px; font-size:11px; line-height:16px; color:var(--text2);
  margin:10px 0 0; max-width:none; }
.legend span { white-space:nowrap; }
.charts { display:grid; grid-template-columns:repeat(2, minmax(0, 1fr)); gap:28px 36px; margin-top:16px; }
figure { margin:0; break-inside:avoid; }
figure svg { width:100%; height:auto; display:block; }
figcaption { font-size:11px; line-height:16px; color:var(--text2); margin-top:6px; max-width:860px; }
.wide { grid-column:1 / -1; }
.pair { display:grid; grid-template-columns:repeat(2, minmax(0, 1fr)); gap:20px 36px; align-items:start; }
.split { display:grid; grid-template-columns:repeat(2, minmax(0, 1fr)); gap:0 36px; margin-top:28px;
  border-top:1px solid var(--line); break-inside:avoid; }
.split h3 { margin-top:14px; }
svg.bar { display:block; max-width:100%; margin-top:8px; }
.small td, .small th { font-size:11px; line-height:16px; padding-top:3px; padding-bottom:3px; overflow-wrap:anywhere; }
.small td.num, .small td.nowrap { overflow-wrap:normal; }
figure .paper { display:none; }
@media screen and (max-width:760px) { .charts, .pair, .split { grid-template-columns:minmax(0, 1fr); } }
@media print {
  body { padding:0; max-width:none; font-size:8.5pt; line-height:12.5pt; }
  footer { display:none; } section.new-page { break-before:page; }
  h1 { font-size:19pt; line-height:26pt; } h2 { font-size:12pt; line-height:16pt; margin-top:18pt; }
  h3 { font-size:9pt; line-height:12pt; margin-top:12pt; }
  .lead { font-size:12pt; line-height:19pt; margin-top:10pt; } .brand { font-size:10pt; } .subject { margin-top:16pt; }
  h2, h3 { break-after:avoid; } tr, figure, dl.figures { break-inside:avoid; } thead { display:table-header-group; }
  .quiet, .lead { break-after:avoid; } .legend, .caption { break-before:avoid; }
  .scroll { overflow:visible; } .narrow td, .narrow th { padding-right:16px; }
  th { font-size:7pt; line-height:9pt; padding-right:6px; } td { padding:3px 6px 2px 0; }
  .small td, .small th { font-size:7pt; line-height:9.5pt; padding-top:2px; padding-bottom:2px; }
  header, .caption, .legend, figcaption, dl.figures dt, dl.figures dd.sub { font-size:7.5pt; line-height:10.5pt; }
  dl.figures { margin-top:14pt; flex-wrap:nowrap; } dl.figures div { padding:0 10px; }
  dl.figures dd.big { font-size:13pt; line-height:18pt; white-space:nowrap; }
  figure .screen { display:none; } figure svg.paper { display:block; } div.pair.paper { display:grid; }
  .charts, .pair { gap:14pt 20pt; margin-top:10pt; }
  .ends, svg.strip { width:72px; } .wide-only { display:none; }
}
)css";

}  // namespace

std::string style_sheet(const document::Document& document) {
  const bool chinese = document.language == Language::zh_CN;
  const std::string font =
      "font:7.5pt/10pt \"Noto Sans\",\"Segoe UI\",Arial,\"Noto Sans CJK SC\",\"WenQuanYi Zen Hei\",sans-serif; "
      "color:#565D66;";
  const std::string number = chinese ? "\"第 \" counter(page) \" 页，共 \" counter(pages) \" 页\""
                                     : "\"Page \" counter(page) \" of \" counter(pages)";
  std::string out;
  out += kRules;
  out += "@page { size:A4; margin:17mm 15mm 18mm; @bottom-left { content:";
  out += css_string(document.footer) + "; " + font + " white-space:nowrap; } @bottom-right { content:";
  out += number + "; " + font + " white-space:nowrap; } }\n";
  return out;
}

}  // namespace weir::reports::html
