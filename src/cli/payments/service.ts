import { isMoneyWord, moneyWords, type PaymentReport, stateWords } from '../../payments/ledger/report.ts'
import type { MovedMoney } from '../../payments/move-money.ts'
import { counted } from '../../printable.ts'
import { contentsOf, paymentNamed, paymentOf } from '../provider/store.ts'
import { loneShop } from '../provider/with-provider.ts'
import { type Command, oneOf, onProvider, onStore, paymentName, shopOfOrder } from '../table.ts'
import { print } from '../terminal/print.ts'
import { UsageError } from '../terminal/usage.ts'

const orderId = { '<order>': 'the id of the order' }

/** Exit code 1 if none of the services says how the payment stands. */
export const ask = onProvider({
  description: "ask the payment service now for the status of an order's payment",
  examples: ['purveyor payments ask 1042'],
  arguments: { '<name>': paymentName },
  options: shopOfOrder,
  async run({ name, shop: named, json }, _provider, inspection) {
    const { shopId: shop, orderId: order } = await paymentNamed(await inspection().openStore(), name, named)
    const { before, status, asked } = await inspection().askPayment(shop, order)
    if (!asked.some(({ answered }) => answered)) process.exitCode = 1
    print(json, { shop, order, before, status, asked }, () => [
      ...asked.map(({ attempt, adapter, answer }) => `${adapter} about attempt ${attempt}: ${answer}`),
      `Order ${order} is ${status}${status === before ? ', as before' : ` now. It was ${before}`}.`,
    ])
  },
})

/** Asks with a made-up checkout, as `doctor` does. */
export const explain = onProvider({
  description: 'explain why each payment method is offered at a checkout, or is not',
  examples: ['purveyor payments explain --shop bikes'],
  options: { '--shop <id>': 'use the settings of this shop; default: the only one' },
  silent: true,
  async run({ shop: asked, json }, _provider, inspection) {
    const { checkoutMessage } = await import('../../messages/exact.ts')
    const shop = asked ?? (await loneShop(inspection))
    if (shop === undefined) throw new UsageError('Name the shop with --shop.')
    const adapters = await inspection().askMethods(checkoutMessage(undefined), { shop })
    const count = adapters.reduce((sum, { methods }) => sum + methods.length, 0)
    print(json, { shop, adapters }, () => [
      `checkout of shop ${shop}: ${counted(count, 'method')}`,
      ...adapters.flatMap(({ adapter, ms, result, reason, methods, leftOut }) => [
        '',
        `${adapter}: ${result}${reason === undefined ? '' : `, ${reason}`} (${ms} ms)`,
        ...methods.map(({ id, title }) => `  in      ${id}  ${title}`),
        ...leftOut.map(({ method, fault }) => `  out     method ${method}  ${fault}`),
      ]),
    ])
    if (adapters.some(({ result }) => result === 'failed')) process.exitCode = 1
  },
})

/** Exit code 1 if the service refuses, or if the outcome is unknown. */
const moving = (kind: 'refund' | 'capture', what: string, example: string): Command =>
  onProvider({
    description: `ask the payment service to ${what}`,
    examples: [`purveyor payments ${kind} ${example}`],
    arguments: orderId,
    options: {
      '--amount <decimal>': 'the amount, such as 29.34; default: all that is left',
      '--attempt <id>': 'of this attempt; default: the one that was paid',
      '--key <key>': 'repeat the request of this idempotency key',
      ...shopOfOrder,
    },
    async run({ order, shop: named, attempt, amount, key, json, by }, provider, inspection) {
      const { shopId: shop } = await paymentOf(await inspection().openStore(), order, named)
      const ref = attempt === undefined ? { shop, orderId: order } : { attemptId: attempt }
      const moved = await provider.payments[kind](ref, { amount, key, by })
      if (moved.refused !== undefined) process.exitCode = 1
      print(json, { shop, order, ...moved }, () => [lineOf(kind, moved), ledgerLine(moved)])
    },
  })

export const refund = moving('refund', 'send money back', '1042 --amount 29.34')
export const capture = moving('capture', 'capture authorised money', '1042')

function lineOf(kind: string, { amount, reported, currency, refused, key }: MovedMoney): string {
  const money = `${kind} of ${amount} ${currency}`
  if (refused !== undefined) return `The payment service refused the ${money}: ${refused}`
  if (reported === undefined) return `The ${money} is done (key ${key}).`
  return `A ${money} was asked for, and the payment service reported ${reported} ${currency} (key ${key}).`
}

function ledgerLine({ ledger, status }: MovedMoney): string {
  const { received, underpaid, refunded, chargedBack, chargebackWon, net, currency } = ledger
  const short = Number(underpaid) > 0 ? ` (${underpaid} short, which is accepted)` : ''
  const won = Number(chargebackWon) > 0 ? `, won back ${chargebackWon}` : ''
  return `The payment is ${status}: received ${received}${short}, refunded ${refunded}, charged back ${chargedBack}${won}, ${net} ${currency} left.`
}

const reportable = [...moneyWords, ...stateWords].filter((word) => word !== 'unknown')

export const report = onStore({
  description: 'report the status of a payment by hand',
  examples: [
    'purveyor payments report 1042 paid --amount 29.34 --currency eur --note "seen on the bank statement"',
  ],
  arguments: { ...orderId, '<status>': oneOf('what happened', reportable) },
  options: {
    '--amount <decimal>': 'the amount, such as 29.34',
    '--currency <code>': 'such as eur',
    '--event <id>':
      "the payment service's id of the transfer, refund or dispute; default: the amount is the total",
    '--attempt <id>': 'default: the newest attempt; for money that goes back the one that was paid',
    '--note <text>': 'a note to store with the payment',
    ...shopOfOrder,
  },
  async run({ order, status, shop: named, attempt, amount, currency, event, note, json, by }, store, now) {
    const needs = `A report of "${status}" needs --amount and --currency`
    if (isMoneyWord(status) && !(amount && currency))
      throw new UsageError(`${needs}: they are compared with the order's.`)
    const { shopId: shop, attempts } = await paymentOf(store, order, named)
    if (attempt && !attempts.some(({ id }) => id === attempt))
      throw new UsageError(`Order ${order} has no attempt ${attempt}. See: purveyor payments show ${order}`)
    const said = { status, amount, currency, event, detail: note ?? 'reported by a person' } as PaymentReport
    const ref = attempt ? { attemptId: attempt } : { shop, orderId: order }
    const { eraseInput, readReported } = await import('../../payments/learn-payment.ts')
    const { attempt: of, statements, byHand } = await readReported({ store }, ref, said, { by })
    const hasPage = attempts.some(({ pageState }) => pageState !== undefined)
    const contents = hasPage ? await contentsOf(store) : undefined
    // The running provider delivers the webhook that it owes, within seconds.
    const how = { source: 'report', now, byHand } as const
    const { payment } = await store.learn(of.shopId, of.orderId, of.id, statements, how)
    // The end of the payment erases the input of its customer. Otherwise that stays until the payment is erased.
    const world = { now: () => now }
    if (contents) await eraseInput({ store, contents, world }, of, payment).catch(() => {})
    const open = await store.anomalies({ shopId: shop, orderId: order, limit: 100 })
    const anomalies = open.map(({ kind }) => kind)
    print(json, { shop, order, status: payment.status, anomalies }, () => [
      `Order ${order} is ${payment.status}.`,
      ...anomalies.map((kind) => `Needs review: ${kind}`),
    ])
  },
})
