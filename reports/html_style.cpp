#include "reports/html_parts.h"

namespace weir::reports::html {

std::string_view style_sheet() {
  return R"css(
:root { --text:#1C2024; --text2:#565D66; --control:#868D96; --line:#DADDE1; --grid:#E8EAED; --accent:#0072B2;
  --problem:#A84300; --raised:#FAFAFA; color-scheme: light; }
* { box-sizing: border-box; }
html { background:#FFFFFF; }
body { margin:0 auto; padding:28px 28px 40px; max-width:1180px; color:var(--text); background:#FFFFFF;
  font:13px/18px "Noto Sans","Segoe UI","Helvetica Neue",Arial,"Noto Sans CJK SC","WenQuanYi Zen Hei",sans-serif;
  font-variant-numeric: tabular-nums; }
h1 { font-size:24px; line-height:32px; font-weight:600; margin:12px 0 4px; max-width:900px; }
h2 { font-size:16px; line-height:22px; font-weight:600; margin:32px 0 8px; }
h3 { font-size:13px; line-height:18px; font-weight:600; margin:16px 0 4px; }
p { margin:4px 0 8px; max-width:820px; }
.caption, footer, .run { font-size:11px; line-height:16px; color:var(--text2); }
.run { display:flex; justify-content:space-between; gap:20px; border-bottom:1px solid var(--line); padding-bottom:8px; }
.lead { color:var(--text2); margin:0 0 2px; }
ul.why { margin:8px 0 16px; padding-left:18px; max-width:900px; }
ul.why li { margin:2px 0; }
dl.figures { display:flex; flex-wrap:wrap; margin:16px 0 20px; }
dl.figures div { padding:0 28px 0 20px; border-left:1px solid var(--line); display:flex; flex-direction:column; }
dl.figures div:first-child { padding-left:0; border-left:0; }
dl.figures dt { order:0; font-size:11px; line-height:16px; color:var(--text2); }
dl.figures dd { margin:0; }
dl.figures dd.big { order:1; font-size:20px; line-height:28px; font-weight:600; }
dl.figures dd.sub { order:2; font-size:11px; line-height:16px; color:var(--text2); }
.scroll { overflow-x:auto; margin-top:12px; }
table { border-collapse:collapse; width:100%; }
th { font-weight:400; font-size:11px; line-height:14px; color:var(--text2); text-align:left; vertical-align:bottom;
  padding:4px 8px 5px 0; border-bottom:1px solid var(--control); }
td { padding:4px 8px 3px 0; border-bottom:1px solid var(--grid); vertical-align:top; }
th.num, td.num { text-align:right; white-space:nowrap; }
td.nowrap { white-space:nowrap; }
td:first-child, th:first-child { padding-left:8px; }
td.rank { color:var(--text2); width:30px; text-align:right; padding-right:10px; }
td.strong { font-weight:600; }
tr.chosen td { border-top:1px solid var(--accent); border-bottom:1px solid var(--accent); }
tr.chosen td:first-child { box-shadow: inset 3px 0 0 var(--accent); color:var(--text); }
tr.chosen .card { font-weight:600; }
.tenure, .unit, .muted { color:var(--text2); }
.problem { color:var(--problem); font-weight:600; white-space:nowrap; }
td .mark { margin-right:5px; }
svg.mark, svg.marker { vertical-align:-1px; }
svg.marker { margin-right:6px; vertical-align:-2px; }
svg.strip { display:block; margin-top:2px; }
.ends { display:flex; justify-content:space-between; width:104px; }
.legend { display:flex; flex-wrap:wrap; gap:4px 20px; font-size:11px; line-height:16px; color:var(--text2); margin:8px 0 0; }
.legend span { white-space:nowrap; }
.charts { display:grid; grid-template-columns:repeat(2, minmax(0, 1fr)); gap:28px 36px; margin-top:8px; }
figure { margin:0; break-inside:avoid; }
figure svg { width:100%; height:auto; display:block; }
figcaption { font-size:11px; line-height:16px; color:var(--text2); margin-top:6px; }
.wide { grid-column:1 / -1; }
.pair { display:grid; grid-template-columns:repeat(2, minmax(0, 1fr)); gap:20px 36px; align-items:start; }
.formula { font-size:12px; color:var(--text2); overflow-wrap:anywhere; }
.source { color:var(--text2); overflow-wrap:anywhere; }
table.narrow { width:auto; min-width:min(560px, 100%); }
.small td, .small th { font-size:11px; line-height:15px; padding-top:2px; padding-bottom:2px; }
footer { margin-top:36px; border-top:1px solid var(--line); padding-top:8px; }
.paper { display:none; }
@media screen and (max-width:760px) { .charts, .pair { grid-template-columns:1fr; } }
@media print {
  @page { size:A4; margin:17mm 15mm; @bottom-right { content:"Page " counter(page) " of " counter(pages); font:7.5pt "Noto Sans","Segoe UI",Arial,sans-serif; color:#565D66; } }
  body { padding:0; max-width:none; font-size:8.5pt; line-height:11.5pt; }
  h1 { font-size:17pt; line-height:22pt; } h2 { font-size:11.5pt; line-height:15pt; margin-top:18pt; }
  h2, h3 { break-after:avoid; } tr, figure, dl.figures { break-inside:avoid; } thead { display:table-header-group; }
  .scroll { overflow:visible; }
  th { font-size:7pt; line-height:9pt; padding-right:5px; } td { padding:3px 5px 2px 0; } .small td, .small th { font-size:7pt; line-height:9pt; }
  .caption, .run, .legend, figcaption, footer, dl.figures dt, dl.figures dd.sub { font-size:7.5pt; line-height:10pt; }
  dl.figures div { padding:0 12px 0 10px; } dl.figures dd.big { font-size:12pt; line-height:17pt; }
  figure svg.screen, .screen { display:none; } figure svg.paper { display:block; } div.pair.paper { display:grid; }
  .charts, .pair { gap:14pt 20pt; } .formula { font-size:7.5pt; line-height:10pt; }
  .ends, svg.strip { width:80px; }
}
)css";
}

}  // namespace weir::reports::html
