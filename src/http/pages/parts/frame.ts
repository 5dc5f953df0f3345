import { html, raw } from 'hono/html'
import { stylesheet } from '../style/style.ts'

/** Text in which every value is escaped. */
export type Html = ReturnType<typeof html>
/** The content of a page: text is escaped. */
export type Content = Html | Promise<Html> | string | readonly (Html | string)[]

interface Document {
  /** Two letters. Default `en`. */
  language?: string
  /** Of the window, without tags. */
  title: unknown
  /** In the head: the style first. */
  head: unknown
  favicon?: string | undefined
  /** The address that the browser opens next by itself, after a wait in seconds. */
  goOn?: { url: string; wait?: number | undefined } | undefined
  body: unknown
}

/** A whole page, for no index of a search engine. */
export const document = ({ language = 'en', title, head, favicon = 'data:,', goOn, body }: Document): Html =>
  html`<!doctype html>
<html lang="${language}" dir="${new Intl.Locale(language).getTextInfo().direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${goOn === undefined ? '' : html`<meta http-equiv="refresh" content="${goOn.wait ?? 0}; url=${goOn.url}">`}
<title>${title as never}</title>
<link rel="icon" href="${favicon}">
${head as never}
</head>
<body>
${body as never}
</body>
</html>`

/** The frame of a payment page: who asks for the money, one sheet, and the links of the provider. */
export const card = (parts: { header: unknown; sheet: unknown; footer: unknown; isState: boolean }): Html =>
  html`<div class="card">
<main id="main">
${parts.header as never}
<div class="sheet${parts.isState ? ' state' : ''}">
${parts.sheet as never}
</div>
</main>
${parts.footer as never}
</div>`

/** An entry of the list at the side. `icon` is a path in a box of 20 by 20. */
interface Entry {
  href: string
  name: string
  icon: string
  /** How many of them wait for a person. Default 0, which is not shown. */
  count?: number
  /** Whether money waits with them. */
  isBad?: boolean
}

interface WorkFrame {
  /** Whose tool it is, beside its mark. It links to the first entry. */
  name: string
  /** The name of the list for screen readers. */
  label: string
  groups: readonly (readonly Entry[])[]
  /** The path of this page: its entry is marked. */
  path: string
  /** At the foot of the list: where this is, and what is changed. */
  who: unknown
  /** On the line above the page. */
  top: unknown
  content: unknown
}

const isAt = (path: string, href: string, first: string) =>
  path === href || (href !== first && path.startsWith(`${href}/`))

/** The frame of tools. On a narrow screen the list lies above, with the page's own entry first, and scrolls sideways by itself. */
export function work({ name, label, groups, path, who, top, content }: WorkFrame): Html {
  const first = groups[0]![0]!.href
  const entries = groups.map((group, at) =>
    group.map(
      ({ href, name: title, icon, count = 0, isBad = false }, index) =>
        html`<li${at > 0 && index === 0 ? raw(' class="group"') : ''}><a href="${href}"${isAt(path, href, first) ? raw(' aria-current="page"') : ''}><svg viewBox="0 0 20 20" aria-hidden="true"><path d="${icon}"/></svg>${title}${count > 0 ? html`<b${isBad ? '' : raw(' class="wait"')}>${count}</b>` : ''}</a></li>`,
    ),
  )
  return html`<a class="skip" href="#main">To the content</a>
<div class="work">
<header class="side"><a class="brand" href="${first}">${mark}<span>${name}</span></a>
<nav aria-label="${label}" tabindex="-1"><ul>${entries}</ul></nav>
<div class="who">${who as never}</div></header>
<div class="page">
<div class="top" role="region" aria-label="Search and state">${top as never}</div>
<main id="main" tabindex="-1">
${content as never}
</main></div></div>`
}

/** A parcel on the accent. */
const mark = raw(
  '<svg viewBox="0 0 28 28" aria-hidden="true" focusable="false"><rect width="28" height="28" rx="7" fill="var(--accent)"/><path d="M8 11l6-3 6 3v7l-6 3-6-3zM8 11l6 3 6-3M14 14v7" fill="none" stroke="var(--on-accent)" stroke-width="2" stroke-linejoin="round"/></svg>',
)

/** The path below which the files of our own pages lie. */
export const assetsPath = '/assets'

/** The link to the one stylesheet of all pages but the payment pages. */
export const styleLink = html`<link rel="stylesheet" href="${assetsPath}/${stylesheet.name}">`
