import { hash } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { PageContent } from '../../payments/adapter.ts'

const style = `
:root { color-scheme: light; font: 1rem/1.5 system-ui, sans-serif; color: #1a1d21; background: #f2f4f6; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: start center; padding: clamp(1rem, 6vh, 4rem) 1rem; }
main { width: 100%; max-width: 26rem; background: #fff; border: 1px solid #d5dae0; border-radius: .75rem; padding: 1.5rem; }
h1 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 1rem; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; }
dl { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin: 0 0 1.25rem; padding: .75rem 0; border-block: 1px solid #d5dae0; }
dt { color: #4a525b; }
dd { margin: 0; font-weight: 600; }
form { display: grid; gap: .75rem; }
label { display: grid; gap: .25rem; font-weight: 600; }
input, select { font: inherit; padding: .625rem .75rem; border: 1px solid #6b7480; border-radius: .5rem; width: 100%; }
button, .button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .625rem 1rem; border-radius: .5rem; border: 1px solid #0b5c4a; background: #0b5c4a; color: #fff; text-align: center; text-decoration: none; cursor: pointer; width: 100%; display: inline-block; }
button:hover, .button:hover { background: #08483a; }
button.quiet { background: #fff; color: #0b5c4a; }
button.quiet:hover { background: #e9f3f0; }
:focus-visible { outline: 3px solid #1f6feb; outline-offset: 2px; }
.hint { color: #4a525b; font-size: .9375rem; }
[role=alert] { border-left: 4px solid #b42318; padding: .5rem .75rem; background: #fdf1f0; }
`

/** The pages run no script, load nothing and allow no frames; their forms post to this origin only. */
export const pageSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  'img-src https: data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export interface Page {
  language: string
  title: string
  content: PageContent | Promise<PageContent>
  /** The address that the browser opens next by itself. */
  goOn?: string
}

export const layout = ({ language, title, content, goOn }: Page) => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${goOn === undefined ? '' : html`<meta http-equiv="refresh" content="0; url=${goOn}">`}
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content as never}
</main>
</body>
</html>`
