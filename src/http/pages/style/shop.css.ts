/** The shop of the sandbox: the customer's pages in clothes of their own, a warm ground and a green, so that nobody takes them for a tool. */
export const shop = `.shop{--ground:#f2efe6;--surface:#fffefb;--sunken:#faf8f2;--line:#e0dacb;--edge:#878273;--quiet:#5f5b4e;--accent:#2c6a3f;--accent-hover:#1e5130;--on-accent:#fff;--accent-soft:#e6f1e7;--sign:#23573a;--on-sign:#f4fbf5;background:var(--ground);border:1px solid var(--line);border-radius:14px;font-size:1rem;container-type:inline-size;min-width:0}
.sign{display:flex;flex-wrap:wrap;gap:.125rem 1rem;align-items:baseline;justify-content:space-between;margin:0;padding:.625rem 1.25rem;background:var(--sign);color:var(--on-sign);border-radius:13px 13px 0 0}
.sign strong{font-size:1.0625rem}.sign span{font-size:var(--label)}
.floor{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem;padding:clamp(.625rem,3cqi,1.25rem)}
.floor>*,.floor .note{margin:0}.floor table{font-size:.9375rem}.floor .sheet{padding:clamp(.875rem,3cqi,1.25rem)}
.pair.long{grid-template-columns:repeat(auto-fit,minmax(min(12rem,100%),1fr))}
.sheet>legend{float:inline-start;width:100%;margin:0 0 .75rem;font-size:1.0625rem;font-weight:700}
.sheet>legend+*{clear:both}fieldset.sheet{margin:0}fieldset.sheet>*+*{margin-block-start:1rem}
.ends{justify-content:flex-end}.alone{max-width:64rem}.alone~*{margin-block-start:1.25rem}
.tools>:is(h2,form,details){margin-block:0 .875rem}.tools h2:not(:first-child){margin-block-start:1.75rem}.tools details form{margin-block:.75rem 1.25rem}
.checkout,.steps{display:grid;gap:1rem;grid-template-columns:minmax(0,1fr)}.checkout>section{container-type:inline-size}
.place{display:flex;gap:1rem;align-items:center;justify-content:space-between;background:var(--surface);border:1px solid var(--line);border-radius:12px;padding:.75rem 1.25rem}
.place p{margin:0}.place button{flex:none}.place strong{font-size:1.25rem;font-variant-numeric:tabular-nums}
.icon{display:inline-grid;place-items:center;width:3.125rem;height:2rem;vertical-align:middle;border:1px solid var(--line);border-radius:4px;background:#fff;color:#57524b;font-size:.5625rem;line-height:1.1;overflow:hidden;text-align:center}.choice small.icon{display:inline-grid;width:auto;padding-inline:.375rem;white-space:nowrap}
@container (min-width:44rem){.checkout{grid-template-columns:minmax(0,1fr) minmax(0,22rem);grid-template-rows:auto 1fr;align-items:start}
.steps{grid-row:1/3}}
@container (max-width:27rem){.ends>*,.place button{flex:1 1 100%}.place{flex-wrap:wrap;gap:.25rem}}
@media (min-width:72rem){.beside{display:grid;grid-template-columns:minmax(0,1fr) 19rem;gap:2rem;align-items:start}}
@media (max-width:71.99rem){.tools{margin-block-start:2rem}}
@media (min-height:30rem){.place{position:sticky;bottom:.5rem;z-index:2}}
@media (max-width:62rem) and (min-height:30rem){html:has(.place){scroll-padding-block-end:6rem}}
@media (prefers-color-scheme:dark){.shop{--ground:#12110d;--surface:#1c1b16;--sunken:#171611;--line:#34312a;--edge:#7d796c;--quiet:#aca899;--accent:#8ccf9d;--accent-hover:#a9ddb6;--on-accent:#0f2a17;--accent-soft:#1b3122;--sign:#1f4a30}}
`
