/**
 * The colours, sizes and fonts of every page. Text has a contrast of 4.5 at least on each surface it lies on, marks and edges 3; a sheet is
 * always lighter than the ground behind it. A brand writes over them; the colours of states stay.
 */
export const tokens = `:root{color-scheme:light dark;--ground:#f5f6f8;--surface:#fff;--sunken:#f8f9fb;--text:#191b20;--quiet:#5b606c;--line:#e3e5ea;--edge:#868c99;
--accent:#3a3d9e;--accent-hover:#2c2f80;--on-accent:#fff;--accent-soft:#eeeffb;--focus:#1f6feb;--good:#17693a;--good-soft:#e5f4ea;--good-mark:#2b9a5a;
--wait:#7d4b00;--wait-soft:#fcf0da;--wait-mark:#bd7a08;--bad:#a61e1a;--bad-soft:#fdebe9;--bad-mark:#d5443d;--plain-soft:#eceef2;--plain-mark:#868d9b;
--radius:8px;--font:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;--mono:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;
--label:.8125rem;--hint:.875rem}
@media screen and (prefers-color-scheme:dark){:root{--ground:#101216;--surface:#181a20;--sunken:#14161b;--text:#e9eaee;--quiet:#a3a8b4;--line:#2b2f38;--edge:#767d8b;
--accent:#a9acff;--accent-hover:#c3c5ff;--on-accent:#14153a;--accent-soft:#23254a;--focus:#6aa5ff;--good:#7fd6a1;--good-soft:#142e1e;--good-mark:#3fae6c;
--wait:#f0bf6c;--wait-soft:#33270f;--wait-mark:#d9982b;--bad:#ffa099;--bad-soft:#3c1c1b;--bad-mark:#e0574f;--plain-soft:#262a33;--plain-mark:#6b7280}}
`

/** The looks of elements by themselves. Lengths are in rem, so that a reader who doubles the text gets a page of twice the size. */
const elements = `*{box-sizing:border-box}
html{background:var(--ground);color:var(--text);font:1rem/1.5 var(--font);-webkit-text-size-adjust:100%}
body{margin:0;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem;text-wrap:balance}
h2{font-size:1.0625rem;line-height:1.35;margin:0 0 .75rem}
p{margin:0 0 1rem}
a{color:var(--accent);text-underline-offset:.15em}
small,.hint{color:var(--quiet);font-size:var(--hint);font-weight:400}
code,pre{font-family:var(--mono);font-size:.9em}
dd{margin:0}
.num,time{font-variant-numeric:tabular-nums}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
main:focus{outline:0}
`

/** Buttons, forms, and what says a state: parts that both frames use. Sides are logical, so that a page turns with its script. */
const parts = `button,.button{font:inherit;font-weight:600;display:inline-flex;align-items:center;justify-content:center;gap:.5rem;min-height:2.75rem;padding:.5rem 1rem;border:1px solid var(--accent);border-radius:var(--radius);background:var(--accent);color:var(--on-accent);text-align:center;text-decoration:none;cursor:pointer}
button:hover,.button:hover{background:var(--accent-hover);border-color:var(--accent-hover)}
button:disabled{background:var(--plain-soft);border-color:var(--plain-soft);color:var(--quiet);cursor:default}
.quiet:is(button,.button){background:var(--surface);color:var(--text);border-color:var(--edge)}
.quiet:is(button,.button):hover{background:var(--ground)}
button.link{background:none;border:0;color:var(--accent);font-weight:400;text-decoration:underline;text-underline-offset:.15em}
form{display:grid;gap:1.125rem;margin:0}
form>p{margin:0}
.pair>button:last-child:nth-child(odd){grid-column:1/-1}
.field{display:grid;gap:.3125rem;border:0;padding:0;margin:0;min-width:0}
label,legend,.label{font-weight:600;padding:0}
legend{padding-block-end:.3125rem}
.pair{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(8rem,100%),1fr));align-items:end}
.pair>*{min-width:0}
.pair>button{align-self:stretch}
input,select,textarea{font:inherit;color:var(--text);background:var(--surface);padding:.5rem .75rem;border:1px solid var(--edge);border-radius:var(--radius);width:100%;min-width:0;min-height:2.75rem}
input:is([type=radio],[type=checkbox]){width:1.25rem;height:1.25rem;min-height:0;margin:.125rem 0 0;padding:0;accent-color:var(--accent);flex:none}
.choice{display:flex;gap:.625rem;align-items:flex-start;font-weight:400;padding-block:.25rem;cursor:pointer}
.choice>span{flex:1;min-width:0}
.choice small{display:block}
.choice img{width:2.5rem;height:1.6rem;object-fit:contain}
.choices{display:grid;border:1px solid var(--edge);border-radius:var(--radius);overflow:hidden}
.choices .choice{padding:.8125rem .875rem;font-weight:550}
.choices .choice+.choice{border-block-start:1px solid var(--line)}
.choices .choice:has(:checked){background:var(--accent-soft)}
[aria-invalid=true]{border:2px solid var(--bad)}
.field:has(.error){border-inline-start:3px solid var(--bad);padding-inline-start:.875rem}
.error{color:var(--bad);font-weight:600;font-size:var(--hint)}
.errors,p[role=alert]{border:2px solid var(--bad);border-radius:var(--radius);padding:1rem 1.125rem;margin:0 0 1.5rem}
p[role=alert]{border:0;padding:.75rem 1rem;background:var(--bad-soft);color:var(--bad);font-weight:600}
.errors>:last-child{margin:0}
.errors ul{padding:0;list-style:none;display:grid;gap:.25rem}
.errors a{color:var(--bad);font-weight:600}
.pill{display:inline-flex;align-items:center;gap:.375rem;padding:.0625rem .5rem;border-radius:1rem;background:var(--plain-soft);color:var(--text);font-size:var(--label);font-weight:550;white-space:nowrap}
.pill::before{content:"";width:.4375rem;height:.4375rem;border-radius:50%;background:var(--plain-mark)}
.pill.good{background:var(--good-soft);color:var(--good)}.pill.good::before{background:var(--good-mark)}
.pill.wait{background:var(--wait-soft);color:var(--wait)}.pill.wait::before{background:var(--wait-mark);border-radius:1px}
.pill.bad{background:var(--bad-soft);color:var(--bad)}.pill.bad::before{background:var(--bad-mark);border-radius:1px;rotate:45deg}
.note{display:grid;gap:.25rem;border-radius:var(--radius);padding:.75rem 1rem;margin:0 0 1.25rem;background:var(--plain-soft)}
.note>*{margin:0}
.note.good{background:var(--good-soft)}.note.wait{background:var(--wait-soft)}.note.bad{background:var(--bad-soft)}
.note.good>strong{color:var(--good)}.note.wait>strong{color:var(--wait)}.note.bad>strong{color:var(--bad)}
.sum{margin:0 0 1.25rem;border-block:1px solid var(--line)}
.sum>div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding:.5rem 0}
.sum>div+div{border-block-start:1px solid var(--line)}
.sum dt{color:var(--quiet)}
.sum dd{margin-inline-start:auto;text-align:end;font-weight:550;unicode-bidi:isolate}
.sheet{background:var(--surface);border:1px solid var(--line);border-radius:calc(var(--radius)*1.5);padding:clamp(1rem,4vw,1.75rem);min-width:0}
.sheet>:last-child{margin-block-end:0}
.brand{display:flex;align-items:center;gap:.625rem;font-weight:650;color:var(--text);text-decoration:none;min-width:0}
@media (forced-colors:active){button,.button,.pill{border:1px solid}.pill::before{forced-color-adjust:none}}
`

/** The style that all pages share. */
export const common = tokens + elements + parts
