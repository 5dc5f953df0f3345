import { html } from 'hono/html'
import { empty, head } from '../../http/pages/parts/facts.ts'
import { filters } from '../../http/pages/parts/forms.ts'
import { table } from '../../http/pages/parts/table.ts'
import { moneyWords } from '../../payments/ledger/report.ts'
import { moneyText } from '../../payments/situation.ts'
import { counted } from '../../printable.ts'
import { auditWords } from '../../shops/audit-words.ts'
import type { StorePort } from '../../store-port.ts'
import type { ConsoleParts } from '../desk.ts'
import { confirm, field, paging, select, textBox } from '../parts.ts'
import type { Page, View } from '../view.ts'

const pageSize = 50

/** The number that a cursor names; `undefined` for any other text. */
const numberIn = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

const kinds = ['opened', ...moneyWords, 'failed', 'cancelled', 'expired', 'unknown']

/** Every change of every payment, the newest first. */
export async function changesPage({ store }: ConsoleParts, view: View): Promise<Page> {
  const [shop, kind, before] = [view.asked('shop').trim(), view.asked('kind'), numberIn(view.asked('before'))]
  const found = await store.latestChanges({
    limit: pageSize + 1,
    before,
    ...(shop && { shopId: shop }),
    ...(kind && { kind }),
  })
  const shown = found.slice(0, pageSize)
  const rows = shown.map((one) => ({
    opens: true,
    cells: [
      view.time(one.at),
      html`<a class="to" href="${view.payment(one.shop, one.orderId)}">Order ${one.orderId}</a>`,
      one.shop,
      one.kind.replaceAll('_', ' '),
      one.amount === undefined || one.currency === undefined ? '' : moneyText(one.amount, one.currency),
      one.status,
    ],
  }))
  const options = Object.fromEntries(kinds.map((name) => [name, name.replaceAll('_', ' ')]))
  const fields = html`${textBox('shop', 'Shop', shop)}${select('kind', 'Kind', { '': 'Every kind', ...options }, kind)}`
  const older =
    found.length > pageSize ? view.at('/changes', { shop, kind, before: shown.at(-1)!.cursor }) : undefined
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
export async function auditPage({ store }: ConsoleParts, view: View): Promise<Page> {
  const [who, shop, action] = [view.asked('who').trim(), view.asked('shop').trim(), view.asked('action')]
  const before = numberIn(view.asked('before'))
  const found = await store.searchAuditTrail({
    before,
    limit: pageSize + 1,
    ...(who && { by: who }),
    ...(shop && { shopId: shop }),
    ...(action && { action }),
  })
  const shown = found.slice(0, pageSize)
  const fields = html`${textBox('who', 'Who', who)}${textBox('shop', 'Shop', shop)}${select('action', 'Action', groups, action)}`
  const older =
    found.length > pageSize
      ? view.at('/audit', { who, shop, action, before: shown.at(-1)!.number })
      : undefined
  const signOut = view.form(
    'sign-out',
    view.at('/audit/sign-out'),
    'End their sessions',
    field({ name: 'name', label: 'Name', hint: 'As it stands under Who.' }),
  )
  return {
    title: 'Audit trail',
    content: html`${head('Audit trail', 'Who changed what, the newest first. No entry holds a secret or what a customer typed.')}${signOut && confirm('sign-out', 'Sign somebody out', signOut)}
${filters(view.at('/audit'), 'Filter the audit trail', fields, view.at('/audit'))}
${auditTable(view, shown)}${paging(counted(shown.length, 'entry', 'entries'), older)}`,
  }
}

type Found = Awaited<ReturnType<StorePort['searchAuditTrail']>>

export function auditTable(view: View, found: Found) {
  const rows = found.map(({ entry }) => {
    const order =
      'order' in entry
        ? html` <a href="${view.payment(entry.shop, entry.order)}">Order ${entry.order}</a>`
        : ''
    const shop = entry.shop === '' ? '–' : html`<a href="${view.shop(entry.shop)}">${entry.shop}</a>`
    return [view.time(entry.at), entry.by, shop, html`${auditWords(entry)}${order}`]
  })
  return table('Audit trail', { When: 'first', Who: 'state', Shop: '', What: 'text' }, rows, {
    none: empty('No entry is like this.'),
  })
}
