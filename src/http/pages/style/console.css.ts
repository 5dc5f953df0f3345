/** The parts of the console alone: its queue, its time lines, its drawings, and the page of whoever is not signed in. */
export const console = `.side nav b{margin-inline-start:auto;min-width:1.375rem;padding:0 .375rem;border-radius:1rem;background:var(--bad-soft);color:var(--bad);font-size:.75rem;text-align:center}
.side nav b.wait{background:var(--wait-soft);color:var(--wait)}
.console section{margin-block-start:2rem}.cols aside section:first-child,.cols>div>section:first-child,.cols>div>:first-child section,.cols>div>div:empty+section{margin-block-start:0}
.between{justify-content:space-between;align-items:baseline}.console :is(table,section)+:is(p,details,div){margin-block-start:.75rem}.num small{display:inline;margin-inline-start:.375rem}.due{color:var(--wait)}.console td{overflow-wrap:anywhere;min-width:5.5rem}.big{font-size:1.875rem;font-variant-numeric:tabular-nums}
.crumbs{margin:0 0 .25rem;font-size:var(--label)}.mono{font-family:var(--mono);font-size:.92em}
.live.off{visibility:hidden}.zone{display:flex;align-items:center;gap:.375rem;font-size:var(--label);color:var(--quiet)}.zone label{font-weight:400}
.zone input{min-height:1.75rem;padding:0 .375rem;font-size:var(--label);width:9rem}.live~.zone{margin-inline-start:0}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(7rem,1fr));margin:0 0 1.5rem;border-block:1px solid var(--line);overflow:hidden}
.figures>div{padding:.625rem 0 .625rem .75rem;margin:-1px 0 0 -.75rem;border:solid var(--line);border-width:1px 0 0 1px}.figures dt{color:var(--quiet);font-size:var(--label)}.figures dd{font-size:1.125rem;font-weight:650;font-variant-numeric:tabular-nums}
.queue{list-style:none;margin:0;padding:0}
.queue>li{display:grid;grid-template-columns:.75rem minmax(0,1fr) auto auto;gap:.125rem .75rem;padding:.75rem 0;border-block-start:1px solid var(--line)}
.queue>li:last-child{border-block-end:1px solid var(--line)}
.queue p{margin:0;color:var(--quiet);font-size:var(--hint)}.queue>li>details{grid-column:2/-1;font-size:var(--hint)}.queue>li>details>*+*{margin-block-start:.5rem}
.what{font-weight:600;color:var(--text);text-decoration:none}a.what:hover{color:var(--accent);text-decoration:underline}
.mark{width:.625rem;height:.625rem;margin-block-start:.4375rem;border-radius:50%;background:var(--plain-mark)}
.mark.wait{background:var(--wait-mark);border-radius:1px}.mark.bad{background:var(--bad-mark);border-radius:1px;rotate:45deg}.mark.good{background:var(--good-mark)}
.queue .button{align-self:start}.stake{font-weight:600;font-variant-numeric:tabular-nums;text-align:end}
.line{list-style:none;margin:0;padding:0;font-size:var(--hint)}.line>li{display:grid;grid-template-columns:5.5rem minmax(0,1fr);gap:.75rem;padding:.4375rem 0}
.line .day{display:block;margin-block-start:.75rem;border-block-end:1px solid var(--line);font-weight:600}.line time{color:var(--quiet)}
.line p{margin:0;overflow-wrap:anywhere}.line small{display:block;overflow-wrap:anywhere}.line div{border-inline-start:3px solid var(--plain-mark);padding-inline-start:.625rem}
.line .good div{border-color:var(--good-mark)}.line .wait div{border-color:var(--wait-mark)}.line .bad div{border-color:var(--bad-mark)}
.tasks{list-style:none;margin:0;padding:0}.tasks>li{display:flex;gap:1rem;align-items:center;justify-content:space-between;padding:.625rem 0;border-block-end:1px solid var(--line)}.tasks p{margin:0;overflow-wrap:anywhere}
.confirm{background:var(--sunken);border:1px solid var(--line);border-radius:var(--radius);padding:.625rem .875rem;margin:0 0 .75rem}.confirm>summary{font-weight:600}.confirm form{margin-block-start:.75rem}.confirm textarea{min-height:4rem}
.menu{position:relative}.menu>summary{list-style:none}.menu>summary::-webkit-details-marker{display:none}
.menu>div{position:absolute;inset-inline-end:0;z-index:5;display:grid;gap:.5rem;min-width:13rem;padding:.75rem;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);box-shadow:0 8px 24px #0003}
.cols{display:grid;gap:2rem;margin-block-start:1.5rem;grid-template-columns:minmax(0,1fr)}.cols>*{min-width:0;container-type:inline-size}.cols aside .kv{grid-template-columns:minmax(5rem,auto) minmax(0,1fr)}
.paging{display:flex;gap:1rem;justify-content:space-between;margin-block-start:.875rem;font-size:var(--hint);color:var(--quiet)}
.charts{display:grid;gap:1.5rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,12rem),1fr))}figure{margin:0;min-width:0}
figcaption{display:flex;justify-content:space-between;gap:1rem;font-size:var(--label);color:var(--quiet);margin-block-end:.375rem}figcaption b{white-space:nowrap;color:var(--text);font-size:1rem;font-variant-numeric:tabular-nums}
.plot{display:block;width:100%;height:auto;font-size:11px;fill:var(--quiet)}.slim .plot,td .plot{max-width:18rem}.plot path{fill:none}.legend{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:.25rem 0 0;font-size:var(--label);color:var(--quiet)}
.drawing{overflow-x:auto;margin-block-end:1rem}.drawing .plot{min-width:40rem}
.f-a{fill:var(--accent)}.f-g{fill:var(--good-mark)}.f-w{fill:var(--wait-mark)}.f-b{fill:var(--bad-mark)}.f-p{fill:var(--plain-mark)}.f-l{fill:var(--line)}
.s-a{stroke:var(--accent);stroke-width:1.8}.s-b{stroke:var(--bad-mark);stroke-width:1.3}.s-l{stroke:var(--line)}.s-q{stroke:var(--quiet);stroke-width:.8}
.door{display:grid;place-items:center;min-height:100vh;padding:1rem}.door main{max-width:30rem;width:100%}
@media (min-width:75rem){.cols{grid-template-columns:minmax(0,1fr) 17rem}.cols aside{border-inline-start:1px solid var(--line);padding-inline-start:1.75rem}}
@media (max-width:44rem){.queue>li{grid-template-columns:.75rem minmax(0,1fr) auto}.queue>li>.button{display:none}a.what{text-decoration:underline}.zone label{position:absolute;clip-path:inset(50%)}.zone input{width:6rem}.menu{position:static}.menu>div{inset-inline:0}.line>li{grid-template-columns:minmax(0,1fr);gap:.125rem}}
`
