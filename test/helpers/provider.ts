import type { AnyPaymentAdapter } from '../../src/any-adapter.ts'
import { type PaymentStartRequest, paymentStartReader, readMessage } from '../../src/contract/index.ts'
import type { Workings } from '../../src/parts.ts'
import { findPayments } from '../../src/payments/find-payments.ts'
import { reportPayment } from '../../src/payments/learn-payment.ts'
import type { PaymentReport } from '../../src/payments/ledger/report.ts'
import { readStatus } from '../../src/payments/read-status.ts'
import { startPayment } from '../../src/payments/start-payment.ts'
import { newShop } from '../../src/shops/shop.ts'
import { checkAttempts } from '../background.ts'
import { payment } from '../http/messages.ts'
import { movableWorld, providerIn, shop } from './world.ts'

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour
export const paid = { status: 'paid', amount: '29.34', currency: 'eur' } as const

/** A provider with a payment adapter `psp`, or with more (`psp2`), in a world whose clock the test moves. */
export function paymentsWith(...adapters: Partial<AnyPaymentAdapter>[]) {
  const moved = movableWorld()
  /** The starts so far, such as `psp card <key>`. */
  const started: string[] = []
  const payments = adapters.map((adapter, place): AnyPaymentAdapter => {
    const name = place === 0 ? 'psp' : `psp${place + 1}`
    const begin = adapter.start ?? (() => ({ redirect: 'https://psp.example/1', reference: 'tr_1' }))
    const start: AnyPaymentAdapter['start'] = (attempt, ctx) => {
      started.push(`${name} ${attempt.methodId} ${attempt.idempotencyKey}`)
      return begin(attempt, ctx)
    }
    return { name, methods: () => [], ...adapter, start }
  })
  const workings: Workings = providerIn(moved.world, { payments })
  const start = (
    changes: Parameters<typeof payment>[0] & { language?: string; webhook_url?: string; shop?: string } = {},
  ) => {
    const body = { ...payment(changes), ...(changes.webhook_url && { webhook_url: changes.webhook_url }) }
    const said = changes.language ? { ...body, shop: { language: changes.language } } : body
    const request = readMessage(paymentStartReader(), said)
    const of = changes.shop ? newShop(changes.shop) : shop
    return startPayment(workings, of, request as PaymentStartRequest)
  }
  const stored = async (order = '1001') => (await workings.store.payment('default', order))!
  return {
    ...moved,
    workings,
    /** Starts an order and reports that it is paid. */
    async pay(id: number, webhook_url?: string) {
      await start({ id, ...(webhook_url && { webhook_url }) })
      await reportPayment(workings, { orderId: id }, paid)
    },
    started,
    start,
    stored,
    /** Moves the clock, and checks every attempt that is due then. */
    async checkAfter(ms: number) {
      await moved.move(ms)
      await checkAttempts(workings)
    },
    status: (order = '1001') => readStatus(workings, 'default', order),
    find: (name: string) => findPayments(workings.store, name, moved.world.now()),
    report: (said: PaymentReport) => reportPayment(workings, { orderId: 1001 }, said),
    facts: async () => (await stored()).attempts.map(({ facts }) => facts.map(({ kind }) => kind)),
    anomalies: async () => (await workings.store.anomalies({ limit: 100 })).map(({ kind }) => kind),
  }
}

/** Two starts of one moment, for 10.00 and then for 100.00, of which the `slow` one answers last. `payable` are the amounts that stay so. */
export async function startTwo(slow: string) {
  const open = new Set<string>()
  let answer = () => {}
  const { start, settle, stored } = paymentsWith({
    async start({ amount }) {
      if (amount === slow) await new Promise<void>((resolve) => (answer = resolve))
      open.add(amount)
      return { redirect: `https://psp.example/${amount}`, reference: amount }
    },
    cancel: ({ amount }) => void open.delete(amount),
  })
  const both = Promise.all([start({ price_incl: 10 }), start({ price_incl: 100 })])
  await settle()
  answer()
  await both
  await settle()
  return { payable: [...open], payment: await stored() }
}
