import { hash } from 'node:crypto'
import { type Brand, fontStacks, type Scheme, schemesOf } from '../../brand/brand.ts'

/** The only style of a page. Its hash is in the content policy, so nothing else can be a style. */
export interface PageStyle {
  css: string
  /** As a content policy names it, without quotes. */
  source: string
}

const variables = (scheme: Scheme): string =>
  Object.entries(scheme)
    .map(
      ([name, colour]) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${colour}`,
    )
    .join(';')

export function styleOf(brand: Brand): PageStyle {
  const { light, dark } = schemesOf(brand)
  const css = `
:root{color-scheme:light dark;${variables(light)};--radius:${brand.radius ?? 8}px;font:1rem/1.5 ${fontStacks[brand.font ?? 'system']}}
@media screen and (prefers-color-scheme:dark){:root{${variables(dark)}}}
${rules}`
  return { css, source: `sha256-${hash('sha256', css, 'base64')}` }
}

// Lengths are in `rem`, so that a reader who doubles the text gets a page of twice the size. `inline` and `block` sides turn with the script.
const rules = `*{box-sizing:border-box}
html{background:var(--ground);color:var(--text);-webkit-text-size-adjust:100%}
body{margin:0;overflow-wrap:anywhere;min-height:100vh;min-height:100dvh;display:grid;grid-template-rows:1fr auto;justify-items:center;padding:clamp(.25rem,4vw,1rem);gap:1rem}
.card{width:100%;max-width:30rem;align-self:start;margin-block:clamp(0rem,5vh,3rem)}
header{display:flex;align-items:center;gap:.75rem;padding:0 .25rem .75rem;min-height:3.5rem}
header img{display:block;max-width:min(10rem,45vw);max-height:2.75rem;width:auto;height:auto}
header strong{font-size:1.0625rem;overflow-wrap:anywhere}
.sheet{background:var(--surface);border:1px solid var(--line);border-radius:calc(var(--radius) * 1.5);padding:clamp(.5rem,5vw,1.75rem)}
h1{font-size:1.375rem;line-height:1.25;margin:0 0 .75rem;overflow-wrap:anywhere;hyphens:auto;text-wrap:balance}
h2{font-size:1.0625rem;margin:1.25rem 0 .5rem}
p{margin:0 0 1rem}
a{color:var(--accent);text-underline-offset:.15em}
.sum{margin:0 0 1.25rem;padding:.75rem 0;border-block:1px solid var(--line);display:grid;gap:.25rem}
.sum>div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem}
dt{color:var(--quiet)}
dd{margin:0;margin-inline-start:auto;overflow-wrap:anywhere;text-align:end;unicode-bidi:isolate}
.total{font-weight:700;font-size:1.125rem}
form{display:grid;gap:1rem;margin:0}
form+form,.again,.button+.button{margin-block-start:1rem}
.field{display:grid;gap:.25rem;border:0;padding:0;margin:0;min-width:0}
label,legend,.label{font-weight:600;padding:0;overflow-wrap:anywhere;hyphens:auto}
.fields{align-items:end}
.fields>*,.state>*{min-width:0;max-width:100%}
[dir=rtl] .turns{transform:scaleX(-1);transform-origin:center}
.hint{color:var(--quiet);font-size:.9375rem;font-weight:400}
.fields{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(8rem,100%),1fr))}
input,select{font:inherit;color:var(--text);background:var(--surface);padding:.625rem .75rem;border:1px solid var(--edge);border-radius:var(--radius);width:100%;min-height:2.75rem}
input[type=radio],input[type=checkbox]{width:1.25rem;height:1.25rem;min-height:0;margin:.125rem 0 0;padding:0;accent-color:var(--accent);flex:none}
.choice{display:flex;gap:.75rem;align-items:flex-start;font-weight:400}
.choices{display:grid;border:1px solid var(--edge);border-radius:var(--radius);overflow:hidden}
.choices .choice{padding:.75rem;min-height:3rem;cursor:pointer}
.choices .choice+.choice{border-block-start:1px solid var(--line)}
.choices .choice:has(:checked){background:var(--ground);font-weight:600}
.choice img{width:2.5rem;height:1.6rem;object-fit:contain;margin-inline-start:auto}
iframe{display:block;width:100%;border:1px solid var(--line);border-radius:var(--radius);color-scheme:inherit}
.hosted iframe{border:0;border-radius:0}
.hosted{min-height:4.5rem}
.hosted.rows-2{min-height:10rem}
.hosted.rows-3{min-height:15.5rem}
.hosted[data-ready]~.late{display:none}
.late{margin:0;overflow:hidden;animation:late 1ms 6s backwards!important}
.late.now{animation:none!important}
@media (scripting:none){.late{animation:none!important}.hosted[class]{min-height:0}}
@keyframes late{from{visibility:hidden;max-height:0}}
[aria-invalid=true]{border:2px solid var(--error)}
.error{color:var(--error);font-weight:600;font-size:.9375rem}
.error::before{content:"! ";font-weight:800}
button,.button{font:inherit;font-weight:600;min-height:3rem;padding:.625rem .5rem;border-radius:var(--radius);border:1px solid var(--accent);background:var(--accent);color:var(--on-accent);text-align:center;text-decoration:none;cursor:pointer;width:100%;display:inline-grid;place-items:center;overflow-wrap:anywhere}
button:hover,.button:hover{background:var(--accent-hover);border-color:var(--accent-hover)}
button:active{transform:translateY(1px)}
button.quiet,.button.quiet{background:none;color:var(--accent);border-color:var(--edge)}
button.quiet:hover,.button.quiet:hover{background:var(--ground)}
button.link{background:none;border:0;color:var(--accent);text-decoration:underline;text-underline-offset:.15em;font-weight:400;min-height:2.75rem;width:auto;justify-self:center}
form:has(button:active) button,button:focus:not(:focus-visible){cursor:progress}
button:focus:not(:focus-visible)::after{content:"";width:1.1em;height:1.1em;margin-block-start:.25rem;border:.15em solid;border-inline-end-color:transparent;border-radius:50%;animation:turn 1s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
[role=alert]{border-inline-start:4px solid var(--error);padding:.5rem .75rem;margin:0 0 1rem;background:var(--ground)}
.state{display:grid;justify-items:center;text-align:center}
.state svg{width:3.5rem;height:3.5rem;margin-block-end:.75rem}
.state .sum,.state .button,.state form,.state button{width:100%}
.way-out{text-align:center;margin:1rem 0 0}
footer{width:100%;max-width:30rem;color:var(--quiet);font-size:.875rem;display:flex;flex-wrap:wrap;justify-content:center;text-align:center;gap:.25rem 1rem;padding-block:.5rem 1rem}
footer a{color:inherit;display:inline-block;padding-block:.25rem}
@media (prefers-reduced-motion:reduce){*{animation:none!important}button:active{transform:none}}
@media (forced-colors:active){button,.button{border:2px solid ButtonText}}
@media print{:root{color-scheme:light}html{background:none}body{display:block;padding:0}.sheet{border:0;padding:0}button,.button,form,.way-out,footer{display:none}}
`
