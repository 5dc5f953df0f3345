import { html } from 'hono/html'
import type { ErrorFault } from '../errors/errors.ts'
import { errorSummary } from '../http/pages/parts/forms.ts'
import { type AnomalyKind, anomalyKinds } from '../payments/ledger/anomalies.ts'
import {
  isMoneyWord,
  longestDetail,
  type PaymentReports,
  type ReportWord,
} from '../payments/ledger/report.ts'
import { askPayment } from '../payments/read-status.ts'
import { hashToken } from '../shops/seal.ts'
import { openLane } from '../webhooks/lanes.ts'
import { wholeIn } from './fields.ts'
import { paymentPage } from './pages/payment.ts'
import { triedPage } from './pages/rates.ts'
import { type Action, expectRole, Refused } from './roles.ts'
import type { ConsoleParts, Page, View } from './view.ts'

/** The end of an action: the page that it leads to, or the form again with what is wrong. */
export type Done = { to: string } | Page

type Form = Readonly<Record<string, string>>

interface Doing {
  parts: ConsoleParts
  view: View
  form: Form
  by: string
  /** The parts of the path behind the name of the list: a shop and an order, for example. */
  path: readonly string[]
}

const mostClosed = 1_000
const shortestReason = 10

/** The reason of a person. Throws a `Refused` for one that is too short to be one. */
function reasonIn({ why = '', note = why }: Form): string {
  const reason = note.trim().slice(0, 500)
  if (reason.length >= shortestReason) return reason
  throw new Refused(422, `Write why in ${shortestReason} characters or more.`)
}

/** Does what a form asks for, in the name of whoever sent it. */
export function doAction(parts: ConsoleParts, view: View, action: Action, form: Form): Promise<Done> {
  const path = view.req.path.split('/').slice(2).map(decodeURIComponent)
  return doings[action]({ parts, view, form, by: view.who?.name ?? 'developer', path })
}

const doings: Record<Action, (doing: Doing) => Promise<Done>> = {
  ask: (doing) =>
    onPayment(doing, async ({ shop, orderId }) => {
      const { asked } = await askPayment(doing.parts.workings, shop, orderId)
      const [newest] = asked
      if (newest && !asked.some(({ answered }) => answered))
        throw new Refused(422, `${newest.adapter}: ${newest.answer}`)
    }),
  send: (doing) => onPayment(doing, (order) => doing.parts.payments.redeliver(order, { by: doing.by })),

  refund: (doing) => move(doing, 'refund'),
  capture: (doing) => move(doing, 'capture'),

  report: (doing) =>
    onPayment(doing, async ({ shop, orderId }) => {
      const { parts, form, by } = doing
      const detail = reasonIn(form)
      if (detail.length > longestDetail)
        throw new Refused(422, `Write why in ${longestDetail} characters at most.`)
      const { attempt: attemptId = '', status = '', amount = '', event = '' } = form
      const attempt = (await parts.store.payment(shop, orderId))?.attempts.find(({ id }) => id === attemptId)
      if (!attempt) throw new Refused(404, `Order ${orderId} of ${shop} has no such attempt.`)
      const report = {
        status,
        detail,
        ...(isMoneyWord(status as ReportWord) && { amount: amountIn(amount), currency: attempt.currency }),
        ...(event && { event }),
      }
      await parts.payments.report({ attemptId }, report as PaymentReports, { by })
    }),

  async close(doing) {
    const { parts, view, form, by } = doing
    const { id, kind = '', adapter, shop, since, before } = form
    const { store, world } = parts.workings
    if (id !== undefined) {
      const found = await parts.store.anomaly(id)
      if (!found) throw new Refused(404, `There is no anomaly ${id}.`)
      if (found.stake !== undefined) expectRole(view.who, 'refund')
      return onPayment({ ...doing, path: [found.shopId, found.orderId] }, () =>
        store.closeAnomaly(id, reasonIn(form), world.now(), by),
      )
    }
    if (!Object.hasOwn(anomalyKinds, kind)) throw new Refused(404, `There is no kind of anomaly ${kind}.`)
    const choice = {
      kind: kind as AnomalyKind,
      adapter: adapter || undefined,
      shopId: shop || undefined,
      since: wholeIn(since) ?? 0,
      before: Math.min(wholeIn(before) ?? 0, world.now()),
      limit: mostClosed,
    }
    const note = reasonIn(form)
    const chosen = await parts.store.chooseAnomalies(choice)
    if (chosen.some((one) => one.stake !== undefined)) expectRole(view.who, 'refund')
    await store.closeAnomalies(choice, note, world.now(), by)
    return { to: view.at('/anomalies') }
  },

  async open({ parts, view, form, by, path: [shopId = '', to = ''] }) {
    const { store, world } = parts.workings
    const opened = await openLane(store, { kind: 'webhook', shopId, to }, world.now(), {
      by,
      why: reasonIn(form),
    })
    if (!opened) throw new Refused(404, `No webhook of ${shopId} goes to ${to}.`)
    parts.workings.wake()
    return { to: view.lane(shopId, to) }
  },

  async release({ parts, view, form, by }) {
    const { store, world } = parts.workings
    const { adapter = '', shop = '' } = form
    const opened = await openLane(store, { kind: 'rates', shopId: shop, to: adapter }, world.now(), { by })
    if (!opened) throw new Refused(404, `Rate adapter ${adapter} is not left alone.`)
    return { to: view.at('/rates') }
  },

  async try({ parts, view, form }) {
    const { shop = '', body = '' } = form
    const asked = () => parts.explain(JSON.parse(body), shop.trim() === '' ? {} : { shop: shop.trim() })
    const answer = await new Promise<Awaited<ReturnType<typeof asked>>>((resolve) => resolve(asked())).catch(
      (error: Error & { faults?: readonly ErrorFault[] }) => {
        if (error instanceof SyntaxError) return `The body is not JSON: ${error.message}`
        const faults = (error.faults ?? []).map(({ path = '', message }) => `${path} ${message}`)
        return faults.length === 0 ? error.message : `${error.message} ${faults.join('; ')}.`
      },
    )
    return triedPage(view, shop, body, answer)
  },

  async compare({ parts, view, path: [id = ''] }) {
    const { store, world } = parts.workings
    await store.noteComparison(id, await registrationOf(parts, id), world.now())
    return { to: view.shop(id) }
  },

  rotate: (doing) =>
    changed(doing, ({ parts, by, form }, id) => {
      const days = wholeIn(form.days)
      if (days === undefined || days > 90)
        throw new Refused(422, 'The old endpoint stays valid for 0 to 90 days.')
      return parts.shops.rotate(id, { by, overlap: days * 24 * 3_600_000 })
    }),

  disable: (doing) => changed(doing, ({ parts, by }, id) => parts.shops.disable(id, { by })),
  enable: (doing) => changed(doing, ({ parts, by }, id) => parts.shops.enable(id, { by })),

  async 'sign-out'({ parts, view, form, by }) {
    const { store, world } = parts.workings
    const { name = '' } = form
    await store.signOutOfConsole(name, world.now(), by)
    return { to: view.at('/audit', { action: 'console' }) }
  },
}

/** Changes a shop, and stores why beside the entry of the change. */
async function changed(doing: Doing, change: (doing: Doing, id: string) => Promise<unknown>): Promise<Done> {
  const { parts, view, form, by } = doing
  const { store, world } = parts.workings
  const [id = ''] = doing.path
  const why = reasonIn(form)
  await change(doing, id)
  await store.noteAudit(id, { at: world.now(), by }, { action: 'console.reason', why })
  return { to: view.shop(id) }
}

/** An amount as people write it: `10,00` too. */
const amountIn = (text: string): string => text.trim().replace(/^(\d+),(\d{1,2})$/, '$1.$2')

const move = (doing: Doing, kind: 'refund' | 'capture'): Promise<Done> =>
  onPayment(doing, async () => {
    const { parts, form, by } = doing
    const why = reasonIn(form)
    const { attempt: attemptId = '', amount = '', key } = form
    const again = key === undefined ? {} : { key }
    const moved = await parts.payments[kind]({ attemptId }, { amount: amountIn(amount), by, why, ...again })
    if (moved.refused !== undefined) throw new Refused(422, `The payment service refused: ${moved.refused}`)
  })

/** Does something about a payment, and leads back to it. What is refused stands on its page, and nothing was changed. */
async function onPayment(
  { parts, view, form, path: [shop = '', orderId = ''] }: Doing,
  act: (order: { shop: string; orderId: string }) => Promise<unknown>,
): Promise<Done> {
  try {
    const done = await act({ shop, orderId })
    if (done === false) throw new Refused(404, `There is no order ${orderId} of ${shop}.`)
    return { to: `${view.payment(shop, orderId)}?done=${form.do}` }
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    if (!(error instanceof Refused) && code === undefined) throw error
    const isUnknown = code === 'MONEY_UNKNOWN'
    const says = isUnknown ? 'It is unknown whether it was done.' : `It was not done: ${message}`
    const refused = { fault: errorSummary(html`${says}`, []), form: isUnknown ? {} : form }
    return paymentPage(parts, view, { shop, order: orderId }, refused)
  }
}

/** The differences between our registration and the platform's records of it; an empty text where nothing does. */
async function registrationOf({ platform, workings }: ConsoleParts, id: string): Promise<string> {
  const client = await platform(id)
  const tokens = (await workings.store.endpoints(id, workings.world.now())).map(({ tokenHash }) => tokenHash)
  const found: string[] = []
  const types = new Set<string>()
  for await (const { urlEndpoint, type, isActive, name } of client.externalServices.list()) {
    const token = /\/e\/([\w-]+)/.exec(urlEndpoint)?.[1]
    if (token === undefined || !tokens.includes(hashToken(token))) continue
    types.add(type)
    if (!urlEndpoint.startsWith(workings.addresses.publicUrl))
      found.push(`${name} has another address than ours`)
    if (isActive === false) found.push(`${name} is switched off`)
  }
  const wanted = { shipment: workings.rates.adapters, payment: workings.payments.adapters }
  for (const [type, adapters] of Object.entries(wanted))
    if (adapters.length > 0 && !types.has(type)) found.push(`no service of type ${type} is registered`)
  return found.join('; ')
}
