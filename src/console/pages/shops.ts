import { html } from 'hono/html'
import { empty, facts, head, type Look, note, pill } from '../../http/pages/parts/facts.ts'
import { filters } from '../../http/pages/parts/forms.ts'
import { table } from '../../http/pages/parts/table.ts'
import { listPayments } from '../../payments/payment-views.ts'
import { counted } from '../../printable.ts'
import { shownSettings } from '../../shops/audit.ts'
import type { Endpoint, Shop } from '../../shops/shop.ts'
import { adaptersOf, OpenedSettings } from '../../shops/shop-settings.ts'
import type { ShopStanding, ShopState } from '../../store-port.ts'
import { type LaneView, listLanes } from '../../webhooks/lanes.ts'
import { confirm, field, reasonField, select, textBox } from '../fields.ts'
import { columns, crumbs, pageOf, paging, type Stands, section, tasks, total } from '../parts.ts'
import type { ConsoleParts, Page, View } from '../view.ts'
import { rowsOf } from './payments.ts'
import { auditTable } from './trail.ts'

const states: Record<ShopState, [Look, string]> = {
  works: ['good', 'Works'],
  silent: ['wait', 'Silent for a day'],
  new: ['', 'Never called'],
  differs: ['wait', 'Registered otherwise'],
  disabled: ['bad', 'Disabled'],
}
const stateWords = Object.fromEntries(Object.entries(states).map(([name, [, words]]) => [name, words]))
const pageSize = 50

export async function shopsPage({ store }: ConsoleParts, view: View): Promise<Page> {
  const { name: q, after, ...asked } = view.asked('name', 'state', 'after')
  const state = Object.hasOwn(states, asked.state ?? '') ? (asked.state as ShopState) : undefined
  const found = await store.shopPage({ q, state, after, now: view.now, limit: pageSize + 1 })
  const { shown, older } = pageOf(found, pageSize, ({ id }) =>
    view.at('/shops', { name: q, state, after: id }),
  )
  const fields = html`${textBox('name', 'Name or platform id', q)}${select('state', 'State', { '': 'Every state', ...stateWords }, state)}`
  const rows = shown.map(({ id, platformId, calledAt, state: of, createdAt }) => ({
    opens: true,
    cells: [
      html`<a class="to" href="${view.shop(id)}">${id}</a>`,
      pill(...states[of]),
      platformId ?? '–',
      calledAt === undefined ? 'never' : view.time(calledAt),
      view.time(createdAt),
    ],
  }))
  const columnsOf = {
    Shop: 'first',
    State: 'state',
    'Platform shop': '',
    'Last call': '',
    Added: 'wide',
  } as const
  return {
    title: 'Shops',
    content: html`${head('Shops', 'Each shop with its state and when its platform called last.')}
${filters(view.at('/shops'), 'Filter shops', fields, view.at('/shops'))}
${table('Shops', columnsOf, rows, { none: empty(q || state ? 'No shop is like this.' : 'There is no shop yet.') })}${paging(counted(shown.length, 'shop'), older)}`,
  }
}

/** One shop: how each of its parts stands, its latest payments, and who changed what. */
export async function shopPage(
  parts: ConsoleParts,
  view: View,
  { shop: id = '' }: Readonly<Record<string, string>>,
): Promise<Page | undefined> {
  const { store, workings } = parts
  const [standing, shop] = await Promise.all([store.shopStanding(id, view.now), store.shop(id)])
  if (!standing || !shop) return undefined
  const [endpoints, lanes, trail, { payments }] = await Promise.all([
    store.endpoints(id, view.now),
    listLanes(store, { kind: 'webhook', shopId: id, now: view.now, limit: 10 }),
    store.searchAuditTrail({ shopId: id, limit: 10 }),
    listPayments(store, { shop: id, limit: 10 }),
  ])
  const given = settingsIn(shownSettings(workings, shop))
  const faults = settingsFaults(workings, shop)
  const { state, platformId } = standing
  const stands = [
    endpointStands(view, standing, endpoints),
    registrationStands(view, standing),
    {
      name: 'Settings',
      says: faults[0] ?? 'Every adapter has what it needs.',
      state: faults.length === 0 ? pill('good', 'Complete') : pill('wait', 'Incomplete'),
    },
    {
      name: 'Allowed hosts',
      says: shop.hosts.names.slice(0, 5).join(', ') || 'none yet',
      state: shop.hosts.confirmed ? pill('good', 'Confirmed') : pill('', 'Learned'),
    },
    webhooksStand(lanes),
  ]
  const path = view.shop(id)
  const said: [string, string] | undefined =
    faults.length === 0 || state === 'disabled'
      ? problems[state]
      : [
          'The settings of this shop are incomplete.',
          `Adapters that need them offer nothing: ${faults.join(' ')}`,
        ]
  return {
    title: id,
    content: html`${crumbs(['Shops', view.at('/shops')])}${head(html`${id} ${pill(...states[state])}`, html`platform shop ${platformId ?? 'not known yet'} · added ${view.time(standing.createdAt)}`, html`${view.form('compare', `${path}/compare`, 'Compare with the platform now')}${more(view, path, shop.disabled)}`)}
${said === undefined ? '' : note('wait', ...said)}
${columns(
  html`${section('State', tasks(stands))}
${section('Latest payments', payments.length === 0 ? empty('This shop has no payment yet.') : rowsOf(view, payments), html`<a href="${view.at('/payments', { shop: id })}">All payments</a>`)}
${section('Why a rate was missing', html`<p><a href="${view.at('/rates', { shop: id })}">Questions of this shop</a></p>`)}
${section('Who changed what', await auditTable(parts, view, trail), html`<a href="${view.at('/audit', { shop: id })}">All of the history</a>`)}`,
  html`${view.isAdmin ? section('Settings', given.length === 0 ? html`<p class="hint">None yet.</p>` : facts(Object.fromEntries(given))) : ''}
${section('Names', facts({ Shop: id, 'Platform shop': platformId, Hosts: shop.hosts.names.join(', ') || undefined }))}`,
)}`,
  }
}

/** More settings than these in one place, such as the facts of products, are counted. */
const mostNamed = 20

/** Settings by their paths, as pages show them. `***` is a text that is masked, because it may be a secret. */
function settingsIn(settings: object, path = ''): [path: string, value: string][] {
  return Object.entries(settings).flatMap(([name, value]): [string, string][] => {
    const at = `${path}${name}`
    if (value === '***') return [[at, 'set']]
    if (typeof value !== 'object' || value === null) return [[at, String(value)]]
    const count = Object.keys(value).length
    const isLong = Array.isArray(value) || count > mostNamed
    return isLong ? [[at, counted(count, 'entry', 'entries')]] : settingsIn(value, `${at}.`)
  })
}

/** Why adapters cannot answer for a shop. */
function settingsFaults(workings: ConsoleParts['workings'], shop: Shop): string[] {
  const settings = new OpenedSettings(shop.id, workings.settings.given(shop))
  return adaptersOf(workings).flatMap((adapter) => {
    try {
      settings.of(adapter)
      return []
    } catch (error) {
      return [(error as Error).message]
    }
  })
}

function endpointStands(view: View, standing: ShopStanding, endpoints: readonly Endpoint[]): Stands {
  const { calledAt, state } = standing
  const live = endpoints.find(({ expiresAt }) => expiresAt === undefined)
  const called = calledAt === undefined ? 'Never called.' : html`Called ${view.time(calledAt)}.`
  const created = live ? html`Created ${view.time(live.createdAt)}.` : 'No endpoint is valid.'
  const older = endpoints.length > 1 ? `${counted(endpoints.length - 1, 'older one')} still valid.` : ''
  const isCalled = calledAt === undefined ? 'new' : 'works'
  return {
    name: 'Endpoint',
    says: html`${called} ${created} ${older}`,
    state: pill(...states[state === 'differs' ? isCalled : state]),
  }
}

function registrationStands(view: View, { comparedAt, compared }: ShopStanding): Stands {
  const name = 'Registered with the platform'
  if (comparedAt === undefined) return { name, says: 'Not compared yet.', state: pill('', 'Not compared') }
  const says = html`${compared || 'Active, with our address.'} Compared ${view.time(comparedAt)}.`
  return { name, says, state: compared ? pill('wait', 'Differs') : pill('good', 'Same') }
}

function webhooksStand(lanes: readonly LaneView[]): Stands {
  const name = 'Webhooks'
  const closed = lanes.find(({ state }) => state !== 'open')
  if (closed)
    return { name, says: `${closed.to}: ${closed.lastFailure ?? 'no answer'}`, state: pill('bad', 'Closed') }
  const waiting = total(lanes, 'waiting')
  if (waiting === 0) return { name, says: 'None waits.', state: pill('good', 'Accepted') }
  return { name, says: `${counted(waiting, 'order waits', 'orders wait')}.`, state: pill('wait', 'Waits') }
}

/** The problem of a shop in this state: a sentence, and the remedy. */
const problems: Partial<Record<ShopState, [string, string]>> = {
  disabled: [
    'This shop is disabled.',
    'Its endpoints answer 404. Open payments go on, and owed webhooks are delivered.',
  ],
  silent: [
    'The platform has not called for a day.',
    'Compare the registration with the platform: the service may be off, or have another address.',
  ],
  new: ['The platform has never called.', 'Register the services: purveyor services register.'],
  differs: [
    'The platform has the services registered otherwise.',
    'Register them again: purveyor services register.',
  ],
}

function more(view: View, path: string, isDisabled: boolean) {
  if (!view.may('disable')) return ''
  const [action, verb] = isDisabled ? (['enable', 'Enable'] as const) : (['disable', 'Disable'] as const)
  const effect = isDisabled
    ? ''
    : html`<p class="hint">Its endpoints answer 404 within five seconds: its customers see no methods of ours.</p>`
  const why = html`${effect}${reasonField(`why-${action}`)}`
  const change = view.form(action, `${path}/${action}`, `${verb} this shop`, why, false)
  const hint = 'The old address stays valid for so many days. Register the new one before they are over.'
  const days = html`${field({ name: 'days', label: 'Days', hint, value: '7' })}${reasonField('why-rotate')}`
  const rotate = view.form('rotate', `${path}/rotate`, 'Make a new endpoint', days, false)
  return html`<details class="menu"><summary class="button quiet small">More</summary><div>${confirm('new-endpoint', 'New endpoint', rotate)}${confirm('state', verb, change)}</div></details>`
}
