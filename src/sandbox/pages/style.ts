// Every colour has a name, once for light and once for dark screens. Text has a contrast of 4.5 to 1 at least, borders of fields 3 to 1.

const colours = `
:root { color-scheme: light dark; --page: #f6f5f2; --card: #fff; --text: #1c1f24; --muted: #57524b; --line: #dcd8d0; --soft: #e8e5df;
--field: #77716a; --accent: #0a4f8f; --chosen: #eef5fc; --button: #0a4f8f; --on-button: #fff; --focus: #b45309; --banner: #1c1f24;
--good: #1d6b35; --good-soft: #eef8f0; --bad: #8c1d18; --bad-soft: #fdf0ef; --wait: #7a4300; --wait-soft: #fdf5e8; }
@media (prefers-color-scheme: dark) { :root { --page: #14161a; --card: #1d2026; --text: #eceae5; --muted: #b8b3aa; --line: #3b3f47;
--soft: #2d3138; --field: #8f8a82; --accent: #8fc4f7; --chosen: #1b2c3e; --button: #8fc4f7; --on-button: #0b1b2b; --focus: #f0a83c;
--banner: #08090b; --good: #86d9a0; --good-soft: #15291c; --bad: #ffaaa3; --bad-soft: #371a19; --wait: #f3c27a; --wait-soft: #33260f; } }
`

const text = `
:root { font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); }
* { box-sizing: border-box; }
body { margin: 0; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.125rem; margin: 0 0 .75rem; }
a { color: var(--accent); }
.hint, small { color: var(--muted); font-size: .9375rem; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--page); border: 1px solid var(--soft); border-radius: .5rem; padding: .75rem; overflow: auto; max-height: 24rem; margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; padding: .125rem 0; }
form + details { margin-top: .75rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem .875rem; margin: 0 0 .75rem; }
dt { color: var(--muted); overflow-wrap: break-word; min-width: 0; } dd { margin: 0; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.whole { white-space: nowrap; }
`

const frame = `
.skip { position: absolute; left: -99rem; background: var(--card); padding: .5rem 1rem; z-index: 2; }
.skip:focus { left: .5rem; top: .5rem; }
.banner { background: var(--banner); color: #fff; font-size: .875rem; margin: 0; padding: .375rem 1rem; text-align: center; }
.banner.stopped { background: var(--bad-soft); color: var(--bad); overflow-wrap: anywhere; }
.banner.stopped p { margin: .25rem 0; }
.banner.stopped pre { margin: .25rem auto; text-align: left; width: fit-content; max-width: 100%; }
pre.source { white-space: pre; }
.bar { background: var(--wait-soft); color: var(--wait); border-bottom: 1px solid var(--line); font-size: .9375rem; }
.bar > div { max-width: 72rem; margin: auto; padding: .375rem 1rem; display: flex; flex-wrap: wrap; gap: .375rem 1rem; align-items: center; }
.bar ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; flex: 1 1 12rem; }
.bar a { color: inherit; }
header { background: var(--card); border-bottom: 1px solid var(--line); }
.top { max-width: 72rem; margin: auto; padding: .75rem 1rem; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline; }
.top strong { font-size: 1.125rem; margin-right: auto; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .125rem .25rem; padding: 0; margin: 0; align-items: center; }
nav a { display: inline-block; padding: .375rem .5rem; border-radius: .375rem; text-decoration: none; color: var(--text); }
nav a:hover { background: var(--soft); }
nav a[aria-current="page"] { background: var(--chosen); color: var(--accent); font-weight: 600; }
nav .group { border-left: 1px solid var(--line); margin-left: .25rem; padding-left: .375rem; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
main:focus { outline: none; }
.columns { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); align-items: start; }
.columns > * { min-width: 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; min-width: 0; }
.card + .card { margin-top: 1.25rem; }
.columns > .card { margin-top: 0; }
section.card > h2 + p, #status > p:first-child { margin-top: 0; }
.card > :last-child, .card > [data-live] > :last-child { margin-bottom: 0; }
[data-live] + .columns { margin-top: 1.25rem; }
.message { border-left: 4px solid var(--focus); background: var(--wait-soft); padding: .625rem .875rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
.faults { margin: .5rem 0; padding-left: 1.25rem; color: var(--bad); overflow-wrap: anywhere; }
.badge { display: inline-block; border: 1px solid currentColor; border-radius: 1rem; padding: 0 .5rem; font-size: .875rem; font-weight: 400; white-space: nowrap; color: var(--muted); background: var(--card); }
.badge.good { color: var(--good); background: var(--good-soft); }
.badge.bad { color: var(--bad); background: var(--bad-soft); }
.badge.wait { color: var(--wait); background: var(--wait-soft); }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.row form { display: inline-flex; }
ul.plain { list-style: none; padding: 0; margin: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; }
ul.plain > .card { margin-top: 0; }
`

const forms = `
form { display: grid; grid-template-columns: minmax(0, 1fr); gap: .875rem; margin: 0; }
.pair { display: grid; gap: .875rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 8rem), 1fr)); align-items: start; }
.pair.long { grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); }
label { display: grid; grid-template-columns: minmax(0, 1fr); gap: .25rem; font-weight: 600; min-width: 0; }
input:not([type=radio], [type=checkbox]), select, textarea { font: inherit; font-weight: 400; padding: .5rem .625rem; border: 1px solid var(--field); border-radius: .5rem; width: 100%; min-width: 0; background: var(--card); color: var(--text); min-height: 2.75rem; }
input, progress { accent-color: var(--accent); }
fieldset { border: 0; padding: 0; margin: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; min-width: 0; }
legend { font-size: 1.125rem; font-weight: 700; padding: 0; margin-bottom: .5rem; }
.option { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 0 .75rem; align-items: center; border: 1px solid var(--field); border-radius: .5rem; padding: .625rem .75rem; font-weight: 400; cursor: pointer; }
.option:has(:checked) { border-color: var(--accent); background: var(--chosen); }
.option small { grid-column: 2 / -1; }
.icon { display: inline-grid; place-items: center; width: 50px; height: 32px; margin-right: .5rem; vertical-align: middle; border: 1px solid #c9c4bb; border-radius: .25rem; background: #fff; color: #57524b; font-size: .5625rem; line-height: 1.1; overflow: hidden; overflow-wrap: anywhere; text-align: center; }
button, .button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1rem; border-radius: .5rem; border: 1px solid var(--button); background: var(--button); color: var(--on-button); cursor: pointer; text-decoration: none; text-align: center; display: inline-block; }
button.quiet, .button.quiet { background: var(--card); color: var(--accent); }
button:hover, .button:hover { filter: brightness(.93); }
button:disabled { background: var(--soft); border-color: var(--soft); color: var(--muted); cursor: default; }
button.small, .button.small { min-height: 2.25rem; padding: .25rem .75rem; font-size: .9375rem; }
form + div[role=status], form + .message { margin: 1.25rem 0 0; }
form > .hint { margin: -.5rem 0 0; }
small.faults { display: block; margin: .25rem 0 0; padding: 0; }
:not(.row) > form + form, summary + form, summary + fieldset { margin-top: 1rem; }
.check { display: flex; gap: .625rem; align-items: center; font-weight: 400; }
.check input { width: 1.25rem; height: 1.25rem; margin: 0; flex: none; }
progress { width: 100%; height: .75rem; }
`

/** A table becomes a list of cards where the screen is narrow: each cell then has the heading of its column in front. */
const tables = `
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; padding: .5rem 1rem .5rem 0; border-bottom: 1px solid var(--soft); vertical-align: top; overflow-wrap: anywhere; }
th:last-child, td:last-child { padding-right: 0; }
.amount { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tfoot th, tfoot td { border: 0; font-weight: 700; }
table.stacked tbody tr:last-child > * { border-bottom: 0; }
.scroll { overflow-x: auto; container-type: inline-size; }
.scroll :is(th, td) { overflow-wrap: break-word; }
@container (max-width: 24rem) { .scroll :is(th, td):not(:last-child) { padding-right: .5rem; } .scroll :is(th, td) { font-size: .9375rem; } }
@container (max-width: 18.5rem) {
.scroll :is(table, thead, tbody, tfoot) { display: block; }
.scroll tr { display: grid; grid-template-columns: 3fr 3fr 4fr; }
.scroll :is(th, td):first-child { grid-column: 1 / -1; border-bottom: 0; padding-bottom: 0; }
.scroll tfoot td:nth-child(2) { grid-column: 2; }
}
@media (max-width: 40rem) {
dl { grid-template-columns: fit-content(40%) minmax(0, 1fr); }
nav a { padding: .375rem .3125rem; font-size: .9375rem; }
nav ul { gap: .125rem; }
nav .group { border: 0; margin: 0; padding: 0; }
.stacked thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.stacked, .stacked tbody { display: block; }
.stacked tr { display: grid; gap: .25rem; padding: .75rem 0; border-bottom: 1px solid var(--soft); }
.stacked tr:last-child { border-bottom: 0; }
.stacked td, .stacked th { display: grid; grid-template-columns: minmax(5.75rem, 30%) 1fr; gap: .5rem; padding: 0; border: 0; text-align: left; white-space: normal; }
.stacked td::before { content: attr(data-label); color: var(--muted); }
.stacked td:empty { display: none; }
}
`

const log = `
body.wide main { max-width: 96rem; }
.filters { display: flex; flex-wrap: wrap; gap: .625rem 1rem; align-items: end; margin: 0 0 1rem; }
.filters label { font-size: .9375rem; flex: 0 1 9rem; }
.filters .text { flex: 1 1 12rem; }
.filters .check { flex: none; min-height: 2.75rem; font-size: 1rem; }
.filters .row { min-height: 2.75rem; gap: 1rem; }
.log { display: grid; gap: 1.25rem; align-items: start; }
.log > .card { margin: 0; }
.calls { container-type: inline-size; padding: 1rem; }
.calls ol { list-style: none; margin: 0 -1rem; padding: 0; }
.calls ol > li { border-top: 1px solid var(--soft); border-left: 4px solid transparent; padding: .5rem 1rem .5rem .75rem; position: relative; scroll-margin-top: 1rem; }
.calls ol > li.wrong { border-left-color: var(--bad); background: var(--bad-soft); }
.calls ol > li:hover { background: var(--page); }
.calls ol > li:has([aria-current="true"]) { background: var(--chosen); }
.calls > p { margin: 0 0 .75rem; }
.calls > ol + p { margin: .75rem 0 0; gap: 1.25rem; }
.line { display: grid; grid-template-columns: auto 1fr auto; gap: .125rem .75rem; align-items: baseline; }
.when { font-size: .9375rem; font-variant-numeric: tabular-nums; white-space: nowrap; } .when small { font-size: inherit; }
.what { color: var(--text); text-decoration: none; overflow-wrap: anywhere; }
.what::after { content: ''; position: absolute; inset: 0; }
.what:hover strong { text-decoration: underline; }
.who { color: var(--muted); font-size: .9375rem; overflow-wrap: anywhere; }
.result { text-align: right; }
.time { display: inline-flex; align-items: center; font-size: .9375rem; font-variant-numeric: tabular-nums; color: var(--muted); white-space: nowrap; gap: .375rem; }
.took { color: var(--text); }
.share { width: 4rem; height: .5rem; flex: none; border-radius: .25rem; fill: var(--soft); }
.share .done { fill: var(--good); } .share .near { fill: var(--focus); } .share .over { fill: var(--bad); }
.calls .who { grid-column: 1 / 3; } .calls .time { justify-content: end; }
.calls .when { grid-column: 1; }
.calls .result { grid-row: 1; grid-column: 3; }
.calls .faults { margin: .25rem 0 0; font-size: .9375rem; position: relative; pointer-events: none; }
@container (min-width: 46rem) {
.calls .line { grid-template-columns: 6.5rem minmax(0, 1fr) minmax(5rem, 8rem) 8rem 14.5rem; }
.calls .took { min-width: 3.25rem; text-align: right; }
.calls .who { grid-column: auto; } .calls .result { grid-row: auto; grid-column: auto; text-align: left; } .calls .time { justify-content: start; }
.calls .faults { padding-left: 8.25rem; } }
@container (max-width: 24rem) {
.calls .line { display: flex; flex-wrap: wrap; }
.calls .result { margin-left: auto; } .calls .what { order: 1; flex: 0 0 100%; }
.calls .who { order: 2; flex: 1 1 auto; } .calls .time { order: 3; margin-left: auto; } }
@media (min-width: 62rem) {
body .log:has(.pane:not([hidden])) { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
.pane { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow: auto; } }
@media (max-width: 61.99rem) { .pane { order: -1; } }
[hidden] { display: none !important; }
.pane h2 { margin: 0; }
.pane .head { margin-bottom: .5rem; } .pane .close { margin-left: auto; }
.pane h3 { font-size: 1rem; margin: 1rem 0 .375rem; }
.pane details { border-top: 1px solid var(--soft); padding: .5rem 0; }
.pane summary { font-weight: 600; }
.pane .meaning { margin: 0 0 .75rem; }
.adapters { list-style: none; margin: 0 0 .75rem; padding: 0; display: grid; gap: .5rem; }
.adapters > li { border-left: 4px solid var(--good); padding-left: .75rem; }
.adapters > li.failed, .adapters > li.skipped { border-color: var(--bad); }
.adapters > li.none { border-color: var(--line); }
.adapters .row { justify-content: space-between; }
.adapters p { margin: 0; overflow-wrap: anywhere; }
.adapters ul { margin: 0; padding-left: 1.25rem; font-size: .9375rem; overflow-wrap: anywhere; }
`

const scenarios = `
#progress { margin-bottom: 1.25rem; }
.running p { margin: 0 0 .5rem; } .running form { margin-top: .75rem; }
.scenarios { list-style: none; margin: 0; padding: 0; }
.scenarios > li { padding: .75rem 0; border-top: 1px solid var(--soft); }
.scenarios > li:first-child { border-top: 0; padding-top: 0; }
.scenarios h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
.scenarios .actions { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; margin-left: auto; }
.scenarios .actions code { color: var(--muted); }
.scenarios p { margin: .25rem 0; } .scenarios .faults { padding: 0; }
.scenarios ol { margin: .25rem 0; }
@media (max-width: 40rem) { .scenarios .actions { margin-left: 0; width: 100%; justify-content: space-between; } }
`

/** The style of every page of the sandbox. */
export const style = colours + text + frame + forms + tables + log + scenarios
