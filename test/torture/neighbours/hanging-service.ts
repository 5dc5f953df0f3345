// A payment service hangs: it does not say how a payment stands, and another does not come to an end with verifying its pushes. The
// pushes of every other service must be processed as before.
import type { PaymentAdapter, PushedReport } from '../../../src/index.ts'
import { type PaidOrder, PaidOrders } from './paid-orders.ts'
import type { NeighbourReport } from './report.ts'
import { named } from './shops.ts'
import { type NeighbourSize, watch } from './turns.ts'

const deadline = 5_000
/** A call slower than this has waited for a hanging one. */
const hangsFor = 8_000
/** Pushes of the services that hang beside each of another. */
const beside = 2
/** Each call brings two orders of the services that hang: this share of the calls of other kinds makes as many orders as one process can pay. */
const shareOfCalls = 0.4

export async function hangingService(size: NeighbourSize): Promise<NeighbourReport> {
  let hangs = false
  const pushUrls = new Map<string, string>()
  const hanging = <T>(value: T): T | Promise<T> => (hangs ? new Promise<T>(() => {}) : value)
  const serviceOf = (name: string, isBad: boolean): PaymentAdapter => ({
    name,
    methods: () => [],
    start(attempt, { pushUrl, shop }) {
      pushUrls.set(`${name} ${shop.id}`, pushUrl!)
      return { redirect: `http://127.0.0.1/${attempt.id}`, reference: `${name}-${attempt.orderId}` }
    },
    status({ amount, currency }) {
      const paid = { status: 'paid', amount, currency } as const
      return isBad ? hanging(paid) : paid
    },
    push:
      name === 'verifying' ? { verify: () => hanging(true), read: said } : { confirm: 'status', read: said },
  })
  const services = [serviceOf('well', false), serviceOf('silent', true), serviceOf('verifying', true)]
  const shops = named('good', size.shops)
  await using orders = await PaidOrders.open(services, shops, { status: hangsFor })
  let pushes = 0
  const push = async (name: string, { shop, order }: PaidOrder) => {
    const report = { status: 'paid', amount: '29.34', currency: 'eur' }
    const body = JSON.stringify({ reference: `${name}-${order}`, report, number: ++pushes })
    const answer = await fetch(pushUrls.get(`${name} ${shop}`)!, { method: 'POST', body })
    return answer.status
  }
  const payByPush = async (name: string, shop: string) => {
    const order = await orders.start(shop, `${name}:card`)
    const heard = orders.heard(order, deadline)
    return (await push(name, order)) === 204 && heard
  }
  return await watch(
    { ...size, perSecond: size.perSecond * shareOfCalls },
    {
      name: 'a payment service that hangs',
      deadline,
      call: (number) => payByPush('well', shops[number % shops.length]!),
      async ownCall(number) {
        const shop = shops[number % shops.length]!
        const start = async (name: string) => ({ name, order: await orders.start(shop, `${name}:card`) })
        const own = await Promise.all(['silent', 'verifying'].map(start))
        for (let one = 0; one < beside; one++)
          for (const { name, order } of own) void push(name, order).catch(() => {})
      },
      begin: () => (hangs = true),
      end: () => (hangs = false),
      isWell: async () => (await payByPush('silent', shops[0]!)) && (await payByPush('verifying', shops[0]!)),
    },
  )
}

const said = ({ body }: { body: Buffer }) => JSON.parse(body.toString()) as PushedReport
