/** The frame of tools: a list of pages at the side, a line with the search on top, and the parts of its tables and forms. */
export const workFrame = `.unseen,.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip:focus{position:absolute;z-index:9;inset:.5rem auto auto .5rem;background:var(--surface);padding:.5rem 1rem}
.work{display:grid;grid-template-columns:14rem minmax(0,1fr);min-height:100vh;min-height:100dvh;font-size:.9375rem}
.side{padding:1rem .75rem;position:sticky;top:0;height:100vh;height:100dvh;overflow:auto;display:flex;flex-direction:column;gap:1.25rem}
.side .brand{padding-inline:.5rem}
.brand svg{width:1.75rem;height:1.75rem;flex:none}
.side ul{list-style:none;margin:0;padding:0;display:grid;gap:.125rem}
.side .group{margin-block-start:.75rem}
.side nav a{display:flex;align-items:center;gap:.625rem;padding:.4375rem .5rem;border-radius:6px;color:var(--text);text-decoration:none;font-weight:500}
.side nav a:hover{background:var(--plain-soft)}
.side nav a[aria-current]{background:var(--accent-soft);color:var(--accent);font-weight:600}
.side nav svg{width:1.125rem;height:1.125rem;flex:none;fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round;opacity:.85}
.who{margin-block-start:auto;padding:.75rem .5rem 0;border-block-start:1px solid var(--line);font-size:var(--label);color:var(--quiet);display:grid;gap:.125rem}
.who>*{margin:0}
.who strong{color:var(--text);display:block}
.who form{justify-items:start}.who ul{display:grid;gap:.25rem;margin:.375rem 0 .625rem;overflow-wrap:anywhere}
.page{background:var(--surface);border-inline-start:1px solid var(--line);min-width:0}
.top{display:flex;gap:1rem;align-items:center;padding:.625rem 1.75rem;border-block-end:1px solid var(--line);min-height:3.75rem}
.search{position:relative;flex:1 1 auto;max-width:32rem;display:block}
.search input{min-height:2.375rem;padding-inline:2.25rem 2.5rem;background:var(--sunken);font-size:var(--hint)}
.search svg{position:absolute;inset:.6875rem auto auto .75rem;width:1rem;height:1rem;fill:none;stroke:var(--quiet);stroke-width:1.8}
kbd{font:550 .75rem var(--mono);border:1px solid var(--line);border-radius:4px;padding:0 .375rem;color:var(--quiet);background:var(--surface)}
.search kbd{position:absolute;inset:.5625rem .625rem auto auto}
.live{margin-inline-start:auto;font-size:var(--label);color:var(--quiet);display:flex;align-items:center;gap:.4375rem;white-space:nowrap}
.live::before{content:"";width:.5rem;height:.5rem;border-radius:50%;background:var(--good-mark)}
.as-of{display:none;margin-inline-start:auto;font-size:var(--label)}
@media (scripting:none){.copy,.live,.search kbd{display:none}.as-of{display:block}}
.page main{padding:1.5rem 1.75rem 4rem;max-width:78rem}
.page main>div,.columns>*,.log>*{container-type:inline-size;min-width:0}
.page main>section{margin-block-start:2rem}
.head{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:flex-start;justify-content:space-between;margin:0 0 1rem}
.head>div{min-width:0}
.head h1{margin:0;display:flex;flex-wrap:wrap;gap:.25rem .625rem;align-items:center}
.head p{margin:.25rem 0 0;color:var(--quiet)}
.row{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:center}
.small:is(button,.button){overflow-wrap:break-word;min-height:2.125rem;padding:.25rem .75rem;font-size:var(--hint)}
.kv{display:grid;grid-template-columns:minmax(6rem,auto) minmax(0,1fr);gap:.375rem 1rem;margin:0 0 1.25rem;font-size:var(--hint)}
.kv dt{color:var(--quiet)}
.copy{font:inherit;font-size:.75rem;font-weight:550;min-height:1.5rem;padding:0 .4375rem;border:1px solid var(--line);background:var(--surface);color:var(--quiet);border-radius:5px;margin-inline-start:.25rem}
.copy:hover{background:var(--ground);color:var(--text);border-color:var(--edge)}
.code{position:relative;margin:.5rem 0 1rem}.code .copy{position:absolute;inset:.5rem .5rem auto auto}.code pre{margin:0;padding-inline-end:4.5rem}
.k{color:var(--accent)}.s{color:var(--good)}.n{color:var(--wait)}
pre{margin:0 0 1rem;padding:.75rem .875rem;background:var(--sunken);border:1px solid var(--line);border-radius:var(--radius);font-size:.8125rem;line-height:1.55;white-space:pre-wrap;overflow:auto;max-height:24rem}
summary{cursor:pointer;padding-block:.125rem}
label :is(input,select){font-weight:400}
table{width:100%;border-collapse:collapse;font-size:var(--hint);overflow-wrap:break-word}
th{color:var(--quiet);font-weight:500;font-size:var(--label);white-space:nowrap}
th,td{padding:.5625rem 1rem .5625rem 0;border-block-end:1px solid var(--line);vertical-align:baseline;text-align:start}
th:last-child,td:last-child{padding-inline-end:0}
tfoot :is(th,td){border:0;font-size:inherit;font-weight:700;color:var(--text)}
.right{text-align:end;font-variant-numeric:tabular-nums}
td.right{white-space:nowrap}
.first,.text{overflow-wrap:anywhere;min-width:7rem}td:has(>form){padding-block:.25rem}
.lead,.whole,time{white-space:nowrap}.path{color:var(--quiet);margin-inline-start:.25rem;display:inline-block}
.faults{margin:.25rem 0 0;padding:0;list-style:none;color:var(--bad);font-size:var(--hint);overflow-wrap:anywhere}
.source{white-space:pre;margin:.375rem 0 0;color:var(--text)}
.share{width:6rem;height:.5rem;vertical-align:middle}
.log{display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem;align-items:start}
.pane{border:1px solid var(--line);border-radius:calc(var(--radius)*1.5);padding:1rem 1.125rem}
.pane:focus{outline:0}.pane h2,.pane h3{margin:0;font-size:1rem}.pane h3{margin-block:1rem .5rem}
.pane pre{max-height:none}.pane>details{border-block-start:1px solid var(--line);padding-block:.5rem}.pane>details>summary{font-weight:600}
.adapters{list-style:none;margin:0 0 1rem;padding:0;font-size:var(--hint)}
.adapters>li{border-block-start:1px solid var(--line);padding-block:.5rem}.adapters .head{margin:0}.adapters ul{margin:.25rem 0 0;padding-inline-start:1.125rem}
#progress{margin-block-end:1rem}progress{width:100%;height:.75rem;accent-color:var(--accent)}
tr:has(+.under)>*{border:0;padding-block-end:0}.under>td>*{margin:0}.under>td{overflow-wrap:anywhere}
tr.go{position:relative}
tr.go:hover>*{background:var(--sunken)}
tr:has([aria-current])>*,tr:has([aria-current])+.under>*{background:var(--accent-soft)}
tr.go a.to{color:var(--text);text-decoration:none;font-weight:600}
tr.go a.to::after{content:"";position:absolute;inset:0}
tr.go a.to:hover{color:var(--accent)}
td small{display:block}
.filters{display:flex;flex-wrap:wrap;gap:.625rem;align-items:end;margin:0 0 1rem}
.filters label{display:grid;gap:.1875rem;font-size:var(--label);color:var(--quiet);font-weight:500;flex:0 1 9rem}
.filters label.wide{flex:1 1 15rem}
.filters :is(input,select){min-height:2.25rem;padding:.25rem .625rem;font-size:var(--hint)}
.filters .choice{flex:none;display:flex;align-items:center;color:var(--text);font-size:var(--hint);min-height:2.25rem;padding:0}
.filters .choice input{min-height:0;margin:0;padding:0}
.filters>a{display:flex;align-items:center;min-height:2.25rem;font-size:var(--hint)}
.empty{border:1px dashed var(--edge);border-radius:var(--radius);padding:2rem 1rem;text-align:center;color:var(--quiet)}
.empty>*{margin:0 auto 1rem;max-width:34rem;text-wrap:balance}.empty>:first-child{font-weight:600;color:var(--text)}
.empty>:last-child{margin-block-end:0}
.columns{display:grid;gap:1.25rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));align-items:start}
.columns.narrow{grid-template-columns:repeat(auto-fill,minmax(min(100%,26rem),1fr));align-items:end}
.columns>*{margin:0}
.below{margin-block-start:2rem}.slim{max-width:36rem}.clock{justify-content:space-between;margin-block-end:2rem}.clock :is(h2,p){margin:0}
legend{font-size:1.0625rem;font-weight:700;margin-block-end:.625rem}fieldset+fieldset{margin-block-start:.75rem}
[hidden]{display:none!important}
@media (max-width:62rem){.work{grid-template-columns:minmax(0,1fr);grid-template-rows:auto 1fr}
.side{position:static;height:auto;flex-direction:row;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;padding:.625rem 1rem 0;border-block-end:1px solid var(--line);overflow:visible}
.side .brand{padding:0}.who{margin:0 0 0 auto;border:0;padding:0;text-align:end}
.side nav{order:3;flex:0 0 100%;min-width:0;overflow-x:auto;margin-inline:-1rem;padding:0 .75rem}
.side nav{mask-image:linear-gradient(to right,#000 calc(100% - 3rem),#0000)}.side nav ul{display:flex;gap:0;padding-inline-end:2.5rem}.who strong{display:inline}.who ul,.who li{display:inline}.who li+li::before{content:" · "}.who:has(ul){flex:1 1 100%;margin:0;text-align:start}.who form{margin-block-start:.375rem}.side nav svg{display:none}.side .group{margin:0}
.side nav a{white-space:nowrap;padding:.5rem;border-radius:0;border-block-end:2px solid transparent}
.side nav a[aria-current]{background:none;border-color:var(--accent)}
.side li:has([aria-current]){order:-1}
.page{border:0}.top{padding:.625rem 1rem}.page main{padding:1.125rem 1rem 3rem}}
@media (max-width:44rem){h1{font-size:1.375rem}.live span{display:none}
.filters label{flex:1 1 8rem}.filters label.wide{flex:1 1 100%}}
@container (max-width:16rem){.kv{grid-template-columns:minmax(0,1fr)}.choice{flex-wrap:wrap}}
@container (max-width:52rem){.wide-only{display:none}}
@container (min-width:52rem){td>.row{flex-wrap:nowrap;white-space:nowrap}}
@container (max-width:40rem){.stacked thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.stacked,.stacked :is(tbody,tfoot){display:block}
.stacked tr{display:flex;flex-wrap:wrap;gap:.125rem .75rem;padding:.625rem 0;border-block-end:1px solid var(--line)}
.stacked tfoot tr,.stacked tr:has(+.under){border:0}.stacked .under{padding-block-start:0}.stacked tfoot th{white-space:normal}
.stacked tr::before{content:"";flex:0 0 100%;order:2}
.stacked :is(td,tfoot th){border:0;padding:0;order:3;text-align:start;min-width:0;overflow-wrap:anywhere}
.stacked td:empty{display:none}.stacked .path{margin:0}
.stacked .right{white-space:normal}
.stacked .lead{order:0}.stacked tr:has([aria-current]){background:var(--accent-soft)}.stacked tr:has([aria-current])>*{background:none}
.stacked .first{order:1;flex:1 1 7rem}
.stacked .state-cell{order:1;margin-inline-start:auto;text-align:end}
.stacked [data-label]::before{content:attr(data-label) " ";color:var(--quiet)}}
@media (min-width:75rem){.log:has(.pane:not([hidden])){grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
.pane{position:sticky;top:1rem;max-height:calc(100vh - 2rem);overflow:auto}}
@media (max-width:74.99rem){.pane{order:-1}}
@media print{:root{color-scheme:light}.side,.top,.filters,form,button{display:none!important}.work{display:block}}
`
