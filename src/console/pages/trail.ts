import { html } from 'hono/html'
import { empty, head } from '../../http/pages/parts/facts.ts'
import { filters } from '../../http/pages/parts/forms.ts'
import { table } from '../../http/pages/parts/table.ts'
import { moneyWords } from '../../payments/ledger/report.ts'
import { moneyText } from '../../payments/situation.ts'
import { counted } from '../../printable.ts'
import { auditWords } from '../../shops/audit-words.ts'
import type { StorePort } from '../../store-port.ts'
import { confirm, field, select, textBox, wholeIn } from '../fields.ts'
import { pageOf, paging } from '../parts.ts'
import type { ConsoleParts, Page, View } from '../view.ts'

const pageSize = 50

const inWords = (word: string): string => word.replaceAll('_', ' ')

const kinds = Object.fromEntries(
  ['opened', ...moneyWords, 'failed', 'cancelled', 'expired', 'unknown'].map((name) => [name, inWords(name)]),
)

/** Every change of every payment, the newest first. */
export async function changesPage({ store }: ConsoleParts, view: View): Promise<Page> {
  const { shop, kind, ...asked } = view.asked('shop', 'kind', 'before')
  const before = wholeIn(asked.before)
  const found = await store.latestChanges({ limit: pageSize + 1, before, shopId: shop, kind })
  const { shown, older } = pageOf(found, pageSize, (last) =>
    view.at('/changes', { shop, kind, before: last.cursor }),
  )
  const rows = shown.map((one) => ({
    opens: true,
    cells: [
      view.time(one.at),
      html`<a class="to" href="${view.payment(one.shop, one.orderId)}">Order ${one.orderId}</a>`,
      one.shop,
      inWords(one.kind),
      one.amount === undefined || one.currency === undefined ? '' : moneyText(one.amount, one.currency),
      one.status,
    ],
  }))
  const fields = html`${textBox('shop', 'Shop', shop)}${select('kind', 'Kind', { '': 'Every kind', ...kinds }, kind)}`
  const columns = {
    When: 'first',
    Order: 'state',
    Shop: 'plain',
    What: '',
    Money: 'right',
    Status: '',
  } as const
  return {
    title: 'Changes',
    live: before === undefined,
    content: html`${head('Changes', 'Everything that was learned about payments, the newest first.')}
${filters(view.at('/changes'), 'Filter changes', fields, view.at('/changes'))}
<div id="changes" data-live>${table('Changes', columns, rows, { none: empty('Nothing has happened yet.') })}${paging(counted(shown.length, 'change'), older)}</div>`,
  }
}

const groups = {
  '': 'Every action',
  tariff: 'Tariffs and other files',
  settings: 'Settings',
  shop: 'Shops',
  endpoint: 'Endpoints',
  push_address: 'Push addresses',
  hosts: 'Hosts',
  platform: 'Platforms',
  anomaly: 'Anomalies',
  payment: 'Payments',
  payments: 'Pruned payments',
  money: 'Refunds and captures',
  webhook: 'Webhooks',
  webhook_secret: 'Webhook secrets',
  lane: 'Lanes',
  console: 'Console',
}

/** The audit trail of all shops, and of what concerns none. */
export async function auditPage(parts: ConsoleParts, view: View): Promise<Page> {
  const { who, shop, action, before } = view.asked('who', 'shop', 'action', 'before')
  const found = await parts.store.searchAuditTrail({
    before: wholeIn(before),
    limit: pageSize + 1,
    by: who,
    shopId: shop,
    action,
  })
  const { shown, older } = pageOf(found, pageSize, (last) =>
    view.at('/audit', { who, shop, action, before: last.number }),
  )
  const fields = html`${textBox('who', 'Who', who)}${textBox('shop', 'Shop', shop)}${select('action', 'Action', groups, action)}`
  const signOut = view.form(
    'sign-out',
    view.at('/audit/sign-out'),
    'End their sessions',
    field({ name: 'name', label: 'Name', hint: 'As it stands under Who.' }),
  )
  return {
    title: 'Audit trail',
    content: html`${head('Audit trail', 'Who changed what, the newest first. No entry holds a secret or what a customer typed.')}${confirm('sign-out', 'Sign somebody out', signOut)}
${filters(view.at('/audit'), 'Filter the audit trail', fields, view.at('/audit'))}
${await auditTable(parts, view, shown)}${paging(counted(shown.length, 'entry', 'entries'), older)}`,
  }
}

type Found = Awaited<ReturnType<StorePort['searchAuditTrail']>>

/** The reason that a person gave. It lies with the payment and not in the trail, so that it is erased with it. */
async function reasonOf({ store }: ConsoleParts, { entry }: Found[number]): Promise<string | undefined> {
  if (entry.action === 'payment.reported') {
    const { shop, order, attempt, status, at } = entry
    const of = (await store.payment(shop, order))?.attempts.find(({ id }) => id === attempt)
    return of?.facts.find((fact) => fact.at === at && fact.kind === status && fact.source === 'report')
      ?.detail
  }
  if (entry.action === 'money.asked') {
    const asked = await store.moneyRequests(entry.shop, entry.order)
    return asked.find((one) => one.attemptId === entry.attempt && one.askedAt === entry.at)?.why
  }
  if (entry.action !== 'anomaly.closed') return undefined
  return (await store.anomaly(entry.anomaly))?.note
}

export async function auditTable(parts: ConsoleParts, view: View, found: Found) {
  const reasons = await Promise.all(found.map((one) => reasonOf(parts, one)))
  const rows = found.map(({ entry }, at) => {
    const order =
      'order' in entry
        ? html` <a href="${view.payment(entry.shop, entry.order)}">Order ${entry.order}</a>`
        : ''
    const shop = entry.shop === '' ? '–' : html`<a href="${view.shop(entry.shop)}">${entry.shop}</a>`
    const cells = [view.time(entry.at), entry.by, shop, html`${auditWords(entry)}${order}`]
    return { cells, under: reasons[at] ?? '' }
  })
  return table('Audit trail', { When: 'first', Who: 'state', Shop: '', What: 'text' }, rows, {
    none: empty('No entry is like this.'),
  })
}
