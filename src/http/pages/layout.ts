import { html, raw } from 'hono/html'
import type { PageContent } from '../../payments/page-form.ts'
import type { PageAsset } from './assets.ts'
import type { ShownBrand } from './brands.ts'
import { type Icon, icons } from './icons.ts'
import { isolated, type PageLanguage, pageText } from './texts.ts'

/** One page, whole. */
export interface Page {
  language: PageLanguage
  brand: ShownBrand
  title: PageContent
  /** Says in the title of the window that something on the page is wrong, which a screen reader reads first. */
  faulty?: boolean
  content: PageContent | Promise<PageContent>
  /** Above the title, on a page about a state. */
  icon?: Icon
  /** The address that the browser opens next by itself, at once or after a wait in seconds. */
  goOn?: string
  wait?: number
  /** Scripts and styles of the adapter, in this order. */
  assets?: readonly PageAsset[]
}

export const layout = (page: Page) => html`<!doctype html>
<html lang="${page.language.tag}" dir="${new Intl.Locale(page.language.tag).getTextInfo().direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${page.goOn === undefined ? '' : html`<meta http-equiv="refresh" content="${page.wait ?? 0}; url=${page.goOn}">`}
<title>${windowTitle(page)}</title>
<link rel="icon" href="${page.brand.favicon ?? 'data:,'}">
<style>${raw(page.brand.style.css)}</style>
${(page.assets ?? []).map(assetTag)}
</head>
<body>
<div class="card">
${header(page.brand)}
<main class="sheet${page.icon === undefined ? '' : ' state'}">
${page.icon === undefined ? '' : raw(icons[page.icon])}
<h1>${page.title}</h1>
${page.content as never}
</main>
</div>
${footer(page)}
</body>
</html>`

/** A title holds no tags, so characters isolate in it. */
const windowTitle = ({ title, brand, faulty, language }: Page) =>
  raw(
    [faulty ? pageText(language, 'faulty') : undefined, title, brand.name && isolated(brand.name)]
      .filter((part) => part !== undefined)
      .join(' - ')
      .replaceAll('<bdi>', '\u2068')
      .replaceAll('</bdi>', '\u2069'),
  )

function assetTag({ kind, url, integrity }: PageAsset) {
  const checked = integrity === undefined ? '' : html` integrity="${integrity}"`
  return kind === 'style'
    ? html`<link rel="stylesheet" href="${url}"${checked}>`
    : html`<script src="${url}" defer${checked}></script>`
}

function header({ name, logo }: ShownBrand) {
  if (name === undefined && !logo) return ''
  // Beside a name the logo is an ornament.
  const image = logo && html`<img src="${logo.url}" alt="" width="${logo.width}" height="${logo.height}">`
  return html`<header>${image}${name === undefined ? '' : html`<strong>${isolated(name)}</strong>`}</header>`
}

function footer({ brand, language }: Page) {
  const { support, terms, privacy } = brand
  const links = (['support', 'terms', 'privacy'] as const).flatMap((key) => {
    const address = { support, terms, privacy }[key]
    return address === undefined ? [] : [html`<a href="${address}">${pageText(language, key)}</a>`]
  })
  if (brand.provider !== undefined && brand.provider !== brand.name)
    links.unshift(html`<span>${pageText(language, 'by', { provider: brand.provider })}</span>`)
  return links.length === 0 ? '' : html`<footer>${links}</footer>`
}
