import type { Response } from 'express'
import { html, raw } from 'hono/html'
import type { PageContent } from '../../payments/pages/page-form.ts'
import type { PageAsset, ServedFile } from './assets.ts'
import type { ShownBrand } from './brands.ts'
import { card, document } from './parts/frame.ts'
import { type PolicyInput, pagePolicy } from './policy.ts'
import { isolated, type PageLanguage, pageText } from './texts.ts'

// Drawn inline: they cost no request, and take the colour of the page.
const drawn = (colour: string, path: string): string =>
  `<svg viewBox="0 0 48 48" fill="none" stroke="var(--${colour})" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="21"/>${path}</svg>`

/** The pictures of states, so that a page looks like what it says. */
const icons = {
  done: drawn('good', '<path d="m14 25 7 7 14-16"/>'),
  waiting: drawn('wait', '<path d="M24 12v12l8 5"/>'),
  stopped: drawn('quiet', '<path d="m17 17 14 14m0-14L17 31"/>'),
  expired: drawn('quiet', '<path d="M17 13h14M17 35h14M19 13v4l10 14v4M29 13v4L19 31v4"/>'),
  unsure: drawn('wait', '<path d="M24 13v14m0 7.5v.5"/>'),
  onward: drawn('quiet', '<path class="turns" d="M14 24h20m-8-9 9 9-9 9"/>'),
} as const
export type Icon = keyof typeof icons

export interface Page {
  language: PageLanguage
  brand: ShownBrand
  title: PageContent
  /** Of the window. Default: `title`. */
  windowTitle?: PageContent
  /** Says in the title of the window that something on the page is wrong, which a screen reader reads first. */
  faulty?: boolean
  content: PageContent | Promise<PageContent>
  /** Above the title, on a page about a state. */
  icon?: Icon
  /** The address that the browser opens next by itself, at once or after a wait in seconds. */
  goOn?: { url: string; wait?: number }
  /** Scripts and styles of the adapter, in this order. */
  assets?: readonly PageAsset[]
}

export const layout = (page: Page) =>
  document({
    language: page.language.tag,
    title: windowTitle(page),
    head: html`<style>${raw(page.brand.style.css)}</style>${(page.assets ?? []).map(assetTag)}`,
    favicon: page.brand.favicon,
    goOn: page.goOn,
    body: card({
      header: header(page),
      sheet: html`${page.icon === undefined ? '' : raw(icons[page.icon])}<h1>${page.title}</h1>${page.content as never}`,
      footer: footer(page),
      isState: page.icon !== undefined,
    }),
  })

/** A title holds no tags, so characters isolate in it. */
const windowTitle = ({ title, windowTitle: own = title, brand, faulty, language }: Page) =>
  raw(
    `${faulty ? `${pageText(language, 'faulty')} ` : ''}${own}${brand.name === undefined ? '' : ` - ${isolated(brand.name)}`}`
      .replaceAll('<bdi>', '\u2068')
      .replaceAll('</bdi>', '\u2069'),
  )

function assetTag({ kind, url, integrity }: PageAsset) {
  const checked = integrity === undefined ? '' : html` integrity="${integrity}"`
  return kind === 'style'
    ? html`<link rel="stylesheet" href="${url}"${checked}>`
    : html`<script src="${url}" defer${checked}></script>`
}

function header({ brand: { name, logo }, language }: Page) {
  if (name === undefined && !logo) return ''
  // Beside a name the logo is an ornament.
  const alt = name === undefined ? pageText(language, 'shop') : ''
  const image =
    logo && html`<img src="${logo.url}" alt="${alt}" width="${logo.width}" height="${logo.height}">`
  return html`<div class="brand">${image}${name === undefined ? '' : html`<span>${isolated(name)}</span>`}</div>`
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

/** Answers with a page. Without a policy it loads nothing but our own images. */
export function sendPage(
  res: Response,
  status: number,
  page: Page,
  policy: Omit<PolicyInput, 'style'> = {},
): void {
  res.set(pagePolicy({ ...policy, style: page.brand.style.source }))
  Promise.resolve(layout(page)).then(
    (text) => res.status(status).type('html').send(String(text)),
    (error: unknown) => res.destroy(error as Error),
  )
}

/** Answers with a file whose name changes with its content. It is never shown as a page. */
export function sendFile(res: Response, file: ServedFile | undefined, next: () => void): void {
  if (!file) {
    next()
    return
  }
  res.set({
    'Content-Type': file.type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
  })
  res.send(file.content)
}
