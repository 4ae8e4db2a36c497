#include "formats/charts/charts.h"

namespace trawl {

// Each colour has a contrast of 4.5 or more to the paper of its theme; charts_test computes it.
std::string_view ChartStyle() {
  return R"css(:root{color-scheme:light;--chart-paper:#ffffff;--chart-ink:#1a1f26;--chart-soft:#4b5563;--chart-rule:#d5dbe3;
--chart-1:#1f5fa8;--chart-2:#b3460b;--chart-3:#1b7a3d;--chart-4:#8a3ab0;--chart-5:#a61e3c;
--chart-6:#0b7285;--chart-7:#6b5b00;--chart-8:#b0257f;--chart-9:#4a5568;--chart-10:#5b3a1e}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;
--chart-paper:#14181d;--chart-ink:#e8ecf1;--chart-soft:#b3bdc9;--chart-rule:#38414c;
--chart-1:#6fb1ff;--chart-2:#ffa45c;--chart-3:#63d08a;--chart-4:#cf9bff;--chart-5:#ff8a94;
--chart-6:#4fd1e0;--chart-7:#d9c24a;--chart-8:#ff8fd0;--chart-9:#a9b6c6;--chart-10:#d9a679}}
:root[data-theme=dark]{color-scheme:dark;
--chart-paper:#14181d;--chart-ink:#e8ecf1;--chart-soft:#b3bdc9;--chart-rule:#38414c;
--chart-1:#6fb1ff;--chart-2:#ffa45c;--chart-3:#63d08a;--chart-4:#cf9bff;--chart-5:#ff8a94;
--chart-6:#4fd1e0;--chart-7:#d9c24a;--chart-8:#ff8fd0;--chart-9:#a9b6c6;--chart-10:#d9a679}
.chart{margin:0;color:var(--chart-ink);min-width:0}
.chart figcaption b{display:block}.chart figcaption span{display:block;color:var(--chart-soft);font-size:.875em}
.chart>svg{display:block;width:100%;height:auto;margin:.5em 0}
.chart text{font:13px system-ui,sans-serif;fill:var(--chart-ink)}.chart text.tick{fill:var(--chart-soft)}
.chart text.halo{stroke:var(--chart-paper);stroke-width:4px;stroke-linejoin:round}
.chart .grid{stroke:var(--chart-rule);fill:none}.chart .axis{stroke:var(--chart-soft);fill:none}
.chart .mark{stroke:var(--chart-ink);stroke-width:1.5;stroke-dasharray:5 4;fill:none}
.chart .edge{stroke:var(--chart-paper)}.chart .over{stroke:var(--chart-paper);stroke-width:1.5;fill:none}
.chart .wrong{stroke:var(--chart-5);stroke-width:3;fill:none}
.chart .s1{fill:var(--chart-1)}.chart .s2{fill:var(--chart-2)}.chart .s3{fill:var(--chart-3)}
.chart .s4{fill:var(--chart-4)}.chart .s5{fill:var(--chart-5)}.chart .s6{fill:var(--chart-6)}
.chart .s7{fill:var(--chart-7)}.chart .s8{fill:var(--chart-8)}.chart .s9{fill:var(--chart-9)}
.chart .s10{fill:var(--chart-10)}
.chart .l1,.chart .l2,.chart .l3,.chart .l4,.chart .l5,.chart .l6,.chart .l7,.chart .l8,.chart .l9,.chart .l10{fill:none;
stroke-width:2.5;stroke-linejoin:round}
.chart .l1{stroke:var(--chart-1)}.chart .l2{stroke:var(--chart-2)}.chart .l3{stroke:var(--chart-3)}
.chart .l4{stroke:var(--chart-4)}.chart .l5{stroke:var(--chart-5)}.chart .l6{stroke:var(--chart-6)}
.chart .l7{stroke:var(--chart-7)}.chart .l8{stroke:var(--chart-8)}.chart .l9{stroke:var(--chart-9)}
.chart .l10{stroke:var(--chart-10)}
.chart .legend{display:flex;flex-wrap:wrap;gap:.25em 1em;list-style:none;margin:0;padding:0;font-size:.875em}
.chart .swatch{width:1.5em;height:.75em;margin-right:.4em;vertical-align:baseline}
.chart details{margin-top:.5em;font-size:.875em}.chart summary{cursor:pointer;color:var(--chart-soft)}
.chart .scroll{overflow:auto;max-height:24em}
.chart table{border-collapse:collapse;font-variant-numeric:tabular-nums}.chart caption{text-align:left;padding:.3em 0}
.chart th,.chart td{text-align:right;padding:.15em .7em .15em 0;border-bottom:1px solid var(--chart-rule);white-space:nowrap}
.chart th[scope=row],.chart th:first-child{text-align:left;font-weight:normal}
@media (max-width:34em){.chart text{font-size:17px}.chart .bars text{font-size:15px}}
)css";
}

}  // namespace trawl
