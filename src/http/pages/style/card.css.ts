/** The frame of a payment page: one narrow sheet, the shop above it, the links of the provider below. */
export const cardFrame = `.card{min-height:100vh;min-height:100dvh;display:grid;grid-template-columns:minmax(0,1fr);grid-template-rows:1fr auto;justify-items:center;padding:clamp(.5rem,4vw,1rem)}
.card main{width:100%;max-width:30rem;margin-block:clamp(0rem,6vh,4rem) 1rem}
.card .brand{padding:.25rem .25rem .75rem;min-height:3rem}
.card .brand img{max-width:min(10rem,45vw);max-height:2.75rem;width:auto;height:auto}
.card h1{font-size:1.25rem;margin-block-end:.125rem;hyphens:auto}
.card .owe{font-size:2rem;font-weight:650;letter-spacing:-.02em;line-height:1.2;margin:0 0 1.25rem;font-variant-numeric:tabular-nums}
.card :is(button,.button){display:block;width:100%;padding-block:.6875rem;text-wrap:balance}
.card button.link{width:auto;justify-self:center}
.card form+form,.card .button+.button,.card form+.button{margin-block-start:.75rem}
.card form:has(button:active) button,.card button:focus:not(:focus-visible){cursor:progress}
.card button:focus:not(:focus-visible,.link)::after{content:"";display:inline-block;vertical-align:-.15em;margin-inline-start:.5rem;width:1.1em;height:1.1em;border:.15em solid;border-inline-end-color:transparent;border-radius:50%;animation:turn 1s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
.state{display:grid;grid-template-columns:minmax(0,1fr);text-align:center}
.state>svg{width:3.25rem;height:3.25rem;margin:0 auto .75rem}
.state h1{margin-block-end:.375rem}
.state>p{text-wrap:balance}
[dir=rtl] .turns{transform:scaleX(-1);transform-origin:center}
iframe{display:block;width:100%;border:1px solid var(--line);border-radius:var(--radius);color-scheme:inherit}
.hosted{min-height:4.5rem}
.hosted iframe{border:0;border-radius:0}
.hosted.rows-2{min-height:10rem}
.hosted.rows-3{min-height:15.5rem}
.hosted[data-ready]~.late{display:none}
.late{margin:0;overflow:hidden;animation:late 1ms 6s backwards!important}
.late.now{animation:none!important}
@media (scripting:none){.late{animation:none!important}.hosted[class]{min-height:0}}
@keyframes late{from{visibility:hidden;max-height:0}}
.card footer{color:var(--quiet);font-size:var(--hint);display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem 1rem;padding:1rem}
.card footer a{color:inherit;padding-block:.25rem}
@media (prefers-reduced-motion:reduce){*{animation:none!important}}
@media print{:root{color-scheme:light}html{background:none}.card{display:block;min-height:0}.card .sheet{border:0;padding:0}.card :is(button,.button,form,footer){display:none}}
`
