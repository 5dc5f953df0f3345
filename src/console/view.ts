import type { Request, Response } from 'express'
import { html, raw } from 'hono/html'
import { search } from '../http/pages/parts/forms.ts'
import { type Content, document, type Html, work } from '../http/pages/parts/frame.ts'
import { live } from '../http/pages/parts/live.ts'
import { stylesheet } from '../http/pages/style/style.ts'
import type { Workings } from '../parts.ts'
import type { Payments } from '../payments/payments.ts'
import type { PlatformClient } from '../platform/client.ts'
import type { RatesExplanation } from '../rates/explanation.ts'
import type { Shops } from '../shops/shops.ts'
import type { StorePort } from '../store-port.ts'
import type { ConsoleOptions } from './options.ts'
import { type Action, actions, allows, type Who } from './roles.ts'
import { cookieOf, formToken } from './session.ts'

/** The provider behind the console. */
export interface ConsoleParts {
  /** Of the provider: actions go through it. */
  workings: Workings
  /** A connection of its own, so that no checkout waits for a page. */
  store: StorePort
  options: ConsoleOptions
  payments: Payments
  shops: Shops
  platform(shopId: string): Promise<PlatformClient>
  explain(body: unknown, options: { shop?: string }): Promise<RatesExplanation>
  /** The address of the console as its users see it. */
  url(): string
}

/** A page: what the frame around it does not know. */
export interface Page {
  title: string
  content: Content
  /** Says in the title of the window that something on the page is wrong. */
  faulty?: boolean
  /** Parts with `data-live` renew themselves with every change. */
  live?: boolean
}

/** The counts in the list at the side. */
interface Waiting {
  anomalies: number
  lanes: number
  shops: number
}

const icons = {
  now: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm0 3.5V10l2.5 1.5',
  card: 'M2.5 4.5h15v11h-15zM2.5 8.5h15M5.5 12.5h3',
  warning: 'M10 3.2 17.6 16.5H2.4zM10 8v4m0 2.2v.1',
  arrows: 'M3 6h9m0 0L9 3m3 3L9 9M17 14H8m0 0 3-3m-3 3 3 3',
  parcel: 'M3 6.5 10 3l7 3.5v7L10 17l-7-3.5zM3 6.5l7 3.5 7-3.5M10 10v7',
  shop: 'M3.5 8.5v8h13v-8M2.5 8l1.5-4.5h12L17.5 8a2.5 2.5 0 0 1-5 0 2.5 2.5 0 0 1-5 0 2.5 2.5 0 0 1-5 0z',
  lines: 'M4 5h12M4 10h12M4 15h7',
  paper: 'M5 3h7l3 3v11H5zM8 9h4M8 12h4',
  pulse: 'M2.5 10.5h3.5l2-5 3.5 9 2-4h4',
}

/** The time of one request, its user and how they see times, and the addresses of the console. */
export type View = ReturnType<typeof viewOf>

/** `who` is not set in development, where nobody signs in. */
export function viewOf(req: Request, who: Who | undefined, now: number) {
  const query = new URLSearchParams(req.originalUrl.split('?')[1])
  /** Below which all pages lie: `/console`. */
  const base = req.baseUrl
  const wanted = cookieOf(req, 'zone') || 'UTC'
  const zone = zoneOf(wanted)
  const may = (action: Action): boolean => who === undefined || allows(who.role, actions[action])
  const format = (at: number, how: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...how }).format(at)

  function at(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): string {
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
    const text = String(new URLSearchParams(given as [string, string][]))
    return `${base}${path}${text && `?${text}`}`
  }

  /** Today without a date, this week with the weekday, then with the date. */
  function words(at: number): string {
    const day = (moment: number) => format(moment, { dateStyle: 'short' })
    const clock = { hour: '2-digit', minute: '2-digit' } as const
    if (day(at) === day(now)) return format(at, { ...clock, second: '2-digit' })
    if (Math.abs(now - at) < 6 * 24 * 3_600_000) return format(at, { ...clock, weekday: 'short' })
    const isOfYear = format(at, { year: 'numeric' }) === format(now, { year: 'numeric' })
    return format(at, { day: 'numeric', month: 'short', ...(isOfYear ? clock : { year: 'numeric' }) })
  }

  return {
    ...{ req, base, who, now, zone, at, may, format },
    /** Whether the user asked for a zone that does not exist: times are in UTC then. */
    isZoneUnknown: zoneOf(wanted, '') === '',
    /** Whether what services and shops answered, word for word, is shown. */
    isAdmin: who === undefined || who.role === 'admin',

    /** Values of the query, without those that are empty. None is cut in the middle of a character of two halves. */
    asked: <Name extends string>(...names: Name[]) =>
      Object.fromEntries(
        names.map((name) => [name, query.get(name)?.trim().slice(0, 300).toWellFormed() || undefined]),
      ) as Partial<Record<Name, string>>,

    payment: (shop: string, order: string): string =>
      at(`/payments/${encodeURIComponent(shop)}/${encodeURIComponent(order)}`),
    shop: (id: string): string => at(`/shops/${encodeURIComponent(id)}`),
    /** The address of a receiver of webhooks. */
    lane: (shop: string, host: string): string =>
      at(`/webhooks/${encodeURIComponent(shop)}/${encodeURIComponent(host)}`),

    /** A form that acts, sent to this address of the console; `''` for whoever may not. It says on its button what it does. */
    form: (action: Action, address: string, button: string, fields: Content = '', quiet = true): Html | '' =>
      may(action)
        ? html`<form method="post" action="${address}"><input type="hidden" name="token" value="${formToken(req)}">${fields as never}<div class="row"><button class="small${quiet ? ' quiet' : ''}" name="do" value="${action}">${button}</button></div></form>`
        : '',

    /** A time in the user's zone; UTC in the title. */
    time(at: number): Html {
      const iso = new Date(at).toISOString()
      return html`<time datetime="${iso}" title="${iso.replace('T', ' ').slice(0, 19)} UTC">${words(at)}</time>`
    },
    /** A day as it stands between events. */
    day: (at: number): string => format(at, { weekday: 'long', day: 'numeric', month: 'long' }),
  }
}

/** The usual name of a time zone, such as `Europe/Paris`. */
function zoneOf(name: string, otherwise = 'UTC'): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return otherwise
  }
}

const styleOf = (base: string) => html`<link rel="stylesheet" href="${base}/assets/${stylesheet.name}">`

/** A whole page. `name` is that of the console. */
export function layout(view: View, page: Page, { name, waiting }: { name: string; waiting: Waiting }): Html {
  const { base, who, req } = view
  const entry = (path: string, title: string, icon: string, count = 0, isBad = false) => ({
    ...{ href: view.at(path), name: title, icon, count, isBad },
  })
  const stream = html`<script type="module" src="${base}/assets/${live.name}" data-events="${page.live ? `${base}/live` : ''}"></script>`
  return document({
    title: `${page.faulty ? 'Error: ' : ''}${page.title} - ${name} console`,
    head: html`${styleOf(base)}${stream}`,
    body: work({
      ...{ name, label: 'Console', path: `${base}${req.path === '/' ? '/' : req.path.replace(/\/$/, '')}` },
      groups: [
        [
          entry('/', 'Now', icons.now),
          entry('/payments', 'Payments', icons.card),
          entry('/anomalies', 'Anomalies', icons.warning, waiting.anomalies, true),
          entry('/webhooks', 'Webhooks', icons.arrows, waiting.lanes),
          entry('/rates', 'Rates', icons.parcel),
          entry('/shops', 'Shops', icons.shop, waiting.shops),
          entry('/changes', 'Changes', icons.lines),
          entry('/audit', 'Audit trail', icons.paper),
          entry('/health', 'Health', icons.pulse),
        ],
      ],
      who: who
        ? html`<strong>${who.name}</strong><span>${who.role}</span><form method="post" action="${base}/sign-out"><input type="hidden" name="token" value="${formToken(req)}"><button class="link">Sign out</button></form>`
        : html`<strong>Development</strong><span>Nobody signs in.</span>`,
      top: html`${search(`${base}/payments`, { label: 'Search payments', hint: 'Order, number, reference or amount', value: view.asked('q').q ?? '' })}${standing(view, page)}`,
      content: html`<div class="console">${page.content as never}</div>`,
    }),
  })
}

/** On the line above: whether the page is live, and the zone of its times, which anybody can change. */
function standing(view: View, { live: isLive }: Page): Html {
  const { zone, isZoneUnknown, now, req } = view
  const time = view.format(now, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const asOf = html`<span class="as-of">As of ${time}, <a href="${req.originalUrl}">load again</a></span>`
  return html`${isLive ? html`<span class="live"><span>Live</span></span>${asOf}` : html`<span class="live off"></span>`}<form class="zone" method="get" action="${view.at('/zone')}"><input type="hidden" name="to" value="${req.originalUrl.slice(view.base.length)}"><label for="zone">${isZoneUnknown ? 'That zone is unknown. Times in' : 'Times in'}</label><input id="zone" name="zone" value="${zone}"${isZoneUnknown ? raw(' aria-invalid="true"') : ''} size="14" maxlength="60" spellcheck="false"></form>`
}

/** A page outside the frame, for whoever is not signed in. */
export function plainPage(res: Response, status: number, title: string, content: Html): void {
  const page = document({
    title,
    head: styleOf(res.req.baseUrl),
    body: html`<div class="door"><main id="main" class="sheet"><h1>${title}</h1>${content}</main></div>`,
  })
  res.status(status).type('html').send(String(page))
}

/** How long the numbers at the side are remembered, in milliseconds. */
const countsLast = 5_000

/** The number of things that wait for a person, counted again after some seconds. */
export function countedAnew(store: StorePort, now: () => number): () => Promise<Waiting> {
  let counted: { at: number; waiting: Promise<Waiting> } | undefined
  const count = async (): Promise<Waiting> => {
    const [anomalies, lanes, shops] = await Promise.all([
      store.countAnomalies(),
      store.countClosedLanes(),
      store.shopPage({ state: 'differs', now: now(), limit: 100 }),
    ])
    const open = Object.values(anomalies).reduce((sum, one) => sum + one, 0)
    return { anomalies: open, lanes, shops: shops.length }
  }
  // A page says what went wrong, and its list at the side needs no numbers.
  const uncounted = (): Waiting => {
    counted = undefined
    return { anomalies: 0, lanes: 0, shops: 0 }
  }
  return () => {
    if (!counted || now() - counted.at > countsLast)
      counted = { at: now(), waiting: count().catch(uncounted) }
    return counted.waiting
  }
}
