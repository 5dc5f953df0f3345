import type { OpenedAnomaly } from '../../src/payments/anomalies.ts'
import { endsOf } from '../../src/payments/attempt-end.ts'
import { movementsOf } from '../../src/payments/movements.ts'
import type { Attempt, Payment } from '../../src/payments/payment.ts'
import { derive } from '../../src/payments/status.ts'
import { ledgerOf } from '../../src/payments/totals.ts'
import type { StorePort } from '../../src/store.ts'
import { takePush } from '../../src/use-cases/payments/take-push.ts'
import { Clock } from './clock.ts'
import { Node } from './node.ts'
import { type Order, Platform } from './platform.ts'
import { Psp, type PspHabits, type Session, totalOf } from './psp.ts'
import { Random } from './random.ts'
import { counted, inMemory } from './virtual-store.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The faults, each of which can be left out to simplify a failing schedule. */
const faults = ['kills', 'network', 'receiver', 'forgeries', 'second order', 'second round'] as const
export type Fault = (typeof faults)[number]

export interface Outcome {
  seed: number
  orders: number
  kills: number
  /** The violated invariants, as sentences that begin with their number. */
  violations: string[]
}

/**
 * One schedule of the real use cases under an injected clock, network, payment service and platform. Everything goes wrong
 * for three hours of virtual time, then everything works and all must settle. The same seed gives the same schedule.
 */
export async function simulate(
  seed: number,
  without: readonly Fault[] = [],
  makeStore = inMemory,
): Promise<Outcome> {
  // Each concern draws its own numbers, so that leaving out one kind of fault leaves the others as they are.
  const random = new Random(seed)
  const [killing, receiving, forging, network] = [1, 2, 3, 4].map((stream) => new Random(seed * 8 + stream))
  const has = (fault: Fault) => !without.includes(fault)
  let busy = 0
  const clock = new Clock(Date.UTC(2026, 0, 1), () => busy === 0)
  const store = counted(await makeStore(), (change) => {
    busy += change
  })

  const nodes: Node[] = []
  let kills = 0
  const platform = new Platform(clock, random, () => nodes)
  const givesStatus = random.chance(0.8)
  const habits: PspHabits = {
    idempotent: random.chance(0.5),
    finds: random.chance(0.4),
    givesStatus,
    cancels: random.chance(0.4),
    // A report that cannot be verified by status() is only believed when signed.
    signs: !givesStatus || random.chance(0.5),
    names: new Random(seed * 8 + 7).pick(['movements', 'totals', 'both'] as const),
  }
  const psp = new Psp({
    clock,
    random: network!,
    habits,
    faulty: has('network'),
    async push(push) {
      const node = nodes.find(({ alive }) => alive)
      if (!node) return false
      const { workings } = node
      const taken = takePush(workings, 'default', workings.payments[0]!, push)
      return Promise.race([
        taken.then(
          () => true,
          () => false,
        ),
        clock.wait(15_000).then(() => false),
      ])
    },
  })
  const start = () => {
    nodes.push(
      new Node({
        clock,
        random,
        store,
        adapter: psp.adapter(),
        send: platform.receive,
        publicUrl: 'https://provider.example',
      }),
    )
  }
  const replaceDead = (): number => {
    const dead = 2 - nodes.filter(({ alive }) => alive).length
    for (let node = 0; node < dead; node++) start()
    return Math.max(0, dead)
  }
  start()
  start()

  // Faults first.
  const from = clock.now
  const drawn = random.between(1, 2)
  const orders = has('second order') ? drawn : 1
  for (let order = 1; order <= orders; order++) {
    const own = new Random(seed * 8 + 4 + order)
    void customer(String(order), { clock, random: own, platform, psp, rounds: has('second round') ? 3 : 1 })
  }
  while (clock.now < from + 3 * hour) {
    await clock.moveTo(clock.now + random.between(500, 12 * minute))
    const receiver = receiving!.pick(['well', 'well', 'failing', 'hanging', 'away'] as const)
    if (has('receiver')) platform.receiver = receiver
    if (has('forgeries') && psp.sessions.length > 0 && forging!.chance(0.2)) {
      psp.forge(forging!.pick(psp.sessions))
    }
    const living = nodes.filter(({ alive }) => alive)
    if (has('kills') && killing!.chance(0.25)) {
      killing!.pick(living)?.dieAfter(killing!.between(1, 12), killing!.pick(['before', 'waiting', 'after']))
    }
    for (const node of living) if (random.chance(0.7)) void node.work()
    await clock.settle()
    kills += replaceDead()
  }

  // Then all is well, and everything must come to rest.
  psp.faulty = false
  platform.receiver = 'well'
  for (const node of nodes) node.dieAfter(Number.POSITIVE_INFINITY, 'before')
  // One may have been dying while it waited for its last commit.
  await clock.settle()
  await clock.settle()
  kills += replaceDead()
  const rests = [...Array(6).fill(5 * minute), ...Array(12).fill(hour), ...Array(34).fill(day)] as number[]
  for (const rest of rests) {
    await clock.moveTo(clock.now + rest)
    for (const node of nodes.filter(({ alive }) => alive)) await Promise.race([node.work(), clock.settle()])
    await clock.settle()
  }

  const violations: string[] = []
  for (const order of platform.orders.values()) {
    const payment = await store.payment('default', order.id)
    violations.push(
      ...(await broken({ order, payment, store, psp })).map((one) => `order ${order.id}: ${one}`),
    )
  }
  await store.close()
  return { seed, orders, kills, violations }
}

/** The failing schedule of a seed with as few kinds of fault as still make it fail. */
export async function shrink(seed: number): Promise<{ without: Fault[]; violations: string[] }> {
  const without: Fault[] = []
  let { violations } = await simulate(seed)
  for (const fault of faults) {
    const simpler = await simulate(seed, [...without, fault])
    if (simpler.violations.length === 0) continue
    without.push(fault)
    violations = simpler.violations
  }
  return { without, violations }
}

/** One customer's actions: pays, perhaps twice, late or never; changes the cart; returns, or not. */
async function customer(
  id: string,
  {
    clock,
    random,
    platform,
    psp,
    rounds,
  }: { clock: Clock; random: Random; platform: Platform; psp: Psp; rounds: number },
): Promise<void> {
  const amounts = ['10.00', '10.00', '100.00']
  const money = new Random(random.between(1, 1e9))
  await clock.wait(random.between(0, 20 * minute))
  for (let round = Math.min(random.between(1, 3), rounds); round > 0; round--) {
    const calls = random.chance(0.2) ? 2 : 1
    const amount = random.pick(amounts)
    const urls = await Promise.all(Array.from({ length: calls }, () => platform.start(id, amount)))
    const session = psp.get(urls.at(-1)?.split('/').at(-1) ?? '')
    const others = psp.sessions.filter((one) => one.orderId === id && one !== session)
    const act = (one: Session | undefined, status: 'paid' | 'cancelled', delay: number) =>
      one && clock.after(delay, () => psp.change(one, status))
    // At once, or at the last minute.
    const delay = random.chance(0.8) ? random.between(0, 10 * minute) : random.between(50 * minute, hour)
    if (random.chance(0.55)) act(session, 'paid', delay)
    else if (random.chance(0.5)) act(session, 'cancelled', delay)
    // A platform that does not wait and keeps asking.
    if (random.chance(0.3)) {
      for (let ask = 0; ask < 20; ask++) clock.after(delay + ask * 700, () => void platform.readStatus(id))
    }
    // A second tab, or a bank that takes its time.
    if (random.chance(0.15)) act(random.pick([...others, session]), 'paid', random.between(0, 4 * hour))
    if (session) moveMoney(session)
    if (session && money.chance(0.15)) {
      const [time, end] = [money.between(hour, 2 * day), money.pick(['paid', 'paid', 'cancelled'] as const)]
      clock.after(money.between(0, 5 * minute), () => psp.work(session, time, end))
    }
    await clock.wait(random.between(0, 25 * minute))
    if (random.chance(0.8)) await platform.readStatus(id)
    await clock.wait(random.between(0, 40 * minute))
  }

  /** Transfers of parts, and money that goes back after it came. */
  function moveMoney(session: Session): void {
    for (let parts = money.pick([0, 0, 0, 1, 2]); parts > 0; parts--) {
      const amount = money.pick([2, 5, 8])
      clock.after(money.between(0, 3 * hour), () => psp.payPart(session, amount))
    }
    const kinds = ['refunded', 'refunded', 'charged_back', 'refund_failed', 'chargeback_won'] as const
    for (let steps = money.pick([0, 0, 1, 2, 4]); steps > 0; steps--) {
      const [kind, amount] = [money.pick(kinds), money.pick([1, 4, 100])]
      clock.after(money.between(minute, 30 * hour), () => psp.after(session, kind, amount))
    }
  }
}

interface Rest {
  order: Order
  payment: Payment | undefined
  store: StorePort
  psp: Psp
}

/** The invariants that must hold once everything is at rest. */
async function broken({ order, payment, store, psp }: Rest): Promise<string[]> {
  const said: string[] = []
  const sessions = psp.sessions.filter(({ orderId }) => orderId === order.id)
  if (!payment) {
    if (order.paymentUrl !== undefined) said.push('I1 a payment that was acknowledged is gone')
    return said
  }
  const open = await store.anomalies({ orderId: order.id, limit: 100 })
  const all = await store.anomalies({ orderId: order.id, limit: 1_000, closed: true })
  const newest = payment.attempts.at(-1)!
  const paidSessions = sessions.filter(({ status }) => status === 'paid')

  if (derive({ paidBy: undefined, attempts: payment.attempts }).status !== payment.status)
    said.push('I2 the status is not what the facts say')
  const paidAt = order.read.indexOf('paid')
  if (paidAt >= 0 && order.read.slice(paidAt).some((status) => status !== 'paid'))
    said.push('I3 paid was left')
  const covers = (session: Session) =>
    totalOf(session, 'paid') >= Math.max(Number(session.amount), Number(newest.amount))
  if (payment.status === 'paid' && !sessions.some(covers)) said.push('I4 paid without the money')
  const dead = (await store.webhooks({ limit: 100 })).some(
    ({ orderId, state }) => orderId === order.id && state === 'dead',
  )
  if (payment.deliveredVersion !== payment.statusVersion && !dead) said.push('I5 a webhook is owed at rest')
  if (dead) said.push('I5 a webhook is given up after hours')
  const given = order.paymentUrl?.split('/').at(-1) ?? ''
  if (psp.get(given) && !payment.attempts.some(({ started }) => started?.reference === given)) {
    said.push('I1 the address that was given to the customer is not known')
  }
  if (newest.amount !== order.amount) {
    if (payment.status !== 'paid') said.push('I4 the newest attempt is not over what the order owes')
    else if (!open.some(({ kind }) => kind === 'amount_changed_after_paid')) {
      said.push('I8 the amount changed after it was paid, and no anomaly is open')
    }
  }
  if (sessions.some(({ key }) => !payment.attempts.some(({ idempotencyKey }) => idempotencyKey === key))) {
    said.push('I6 a session with the key of no attempt')
  }
  const keys = sessions.map(({ key }) => key)
  if (new Set(keys).size !== keys.length) said.push('I6 two sessions with one key')
  if (payment.status !== 'pending' && order.status !== payment.status) {
    said.push(`I7 the platform holds ${order.status} for ${payment.status}`)
  }
  const known = paidSessions.filter((session) => reachable(payment, session))
  for (const session of sessions) {
    const attempt = payment.attempts.find(({ started }) => started?.reference === session.reference)
    if (attempt)
      said.push(...moneyFaults(session, attempt, { anomalies: all, givesStatus: psp.habits.givesStatus }))
  }
  if (payment.status !== 'paid' && sessions.some((one) => reachable(payment, one) && covers(one)))
    said.push('I8 enough was paid at the payment service, and the order is not paid')
  const paying = payment.attempts.find(({ id }) => id === payment.paidBy)
  const has = (kind: string) => all.some((one) => one.kind === kind && one.attemptId === paying?.id)
  if (paying) {
    if (Number(ledgerOf(paying).received) > Number(newest.amount) && !has('overpaid'))
      said.push('I8 more was paid than is owed, and no anomaly is open')
    if (endsOf(paying).some(({ at }) => at < payment.changedAt) && !has('late_paid'))
      said.push('I8 it was paid after its end, and no anomaly is open')
  }
  if (known.length > 0 && payment.status !== 'paid' && open.length === 0) {
    said.push('I8 paid at the payment service, and no anomaly is open')
  }
  if (known.length > 1 && !open.some(({ kind }) => kind === 'double_paid' || kind === 'paid_in_parts')) {
    said.push('I8 paid twice, and no anomaly is open')
  }
  return said
}

/** Whether the ledger of an attempt is that of its session, movement by movement, with an anomaly for each chargeback. */
function moneyFaults(
  session: Session,
  attempt: Attempt,
  { anomalies, givesStatus }: { anomalies: readonly OpenedAnomaly[]; givesStatus: boolean },
): string[] {
  const { reference } = session
  const ledger = ledgerOf(attempt)
  const figures = {
    paid: ledger.received,
    refunded: ledger.refunded,
    charged_back: ledger.chargedBack,
    chargeback_won: ledger.chargebackWon,
  }
  const lines = movementsOf(attempt)
  const summed = (kind: string) =>
    lines.filter((line) => line.kind === kind).reduce((sum, { amount }) => sum + Number(amount), 0)
  const said = Object.entries(figures).flatMap(([kind, figure]) => {
    const expected = totalOf(session, kind as keyof typeof figures)
    const books = summed(kind) - (kind === 'refunded' ? summed('refund_failed') : 0)
    const [what, money] = [`I13 ${kind} ${expected} of ${reference}`, Number(figure)]
    if (money !== expected) return [`${what}, and the ledger has ${figure}`]
    return books === expected ? [] : [`${what}, and its movements add up to ${books}`]
  })
  const disputed = anomalies
    .filter(({ kind, attemptId }) => kind === 'charged_back' && attemptId === attempt.id)
    .reduce((sum, { stake }) => sum + Number(stake), 0)
  const chargedBack = totalOf(session, 'charged_back')
  const expired = attempt.facts.find(({ source }) => source === 'expiry')
  const { from = 0, until = 0 } = session.worked ?? {}
  if (givesStatus && expired && expired.at > from && expired.at < until)
    said.push(`I14 ${reference} expired while the service worked on it`)
  if (disputed !== chargedBack)
    said.push(`I8 ${chargedBack} charged back of ${reference}, anomalies of ${disputed}`)
  return said
}

/** A customer cannot pay a session whose address was never sent. */
const reachable = (payment: Payment, { reference }: Session) =>
  payment.attempts.some(({ started }) => started?.reference === reference)
