import { takePush } from '../../src/payments/pushes/take-push.ts'
import { processPushes } from '../background.ts'
import { Clock } from './clock.ts'
import { FeedReader } from './feed-reader.ts'
import { broken, lateMoney } from './invariants.ts'
import { Merchant } from './merchant.ts'
import { Node } from './node.ts'
import { Platform } from './platform.ts'
import { Psp, type PspHabits, type Session } from './psp.ts'
import { Random } from './random.ts'
import { counted, inMemory } from './virtual-store.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The faults, each of which can be left out to simplify a failing schedule. */
const faults = ['kills', 'network', 'receiver', 'forgeries', 'second order', 'second round'] as const
export type Fault = (typeof faults)[number]

/**
 * One schedule of the real use cases under an injected clock, network, payment service and platform. Everything goes wrong
 * for three hours of virtual time, then everything works and all must settle. The same seed gives the same schedule.
 */
export async function simulate(seed: number, without: readonly Fault[] = [], makeStore = inMemory) {
  // Each concern draws its own numbers, so that leaving out one kind of fault leaves the others as they are.
  const random = new Random(seed)
  const [killing, receiving, forging, network] = [1, 2, 3, 4].map((stream) => new Random(seed * 8 + stream))
  const asking = new Random(seed * 8)
  const has = (fault: Fault) => !without.includes(fault)
  let busy = 0
  const clock = new Clock(Date.UTC(2026, 0, 1), () => busy === 0)
  const store = counted(await makeStore(), (change) => (busy += change))

  const nodes: Node[] = []
  let kills = 0
  const platform = new Platform(clock, random, () => nodes)
  const merchant = new Merchant(clock, asking, () => nodes)
  const feed = new FeedReader()
  const givesStatus = random.chance(0.8)
  const habits: PspHabits = {
    idempotent: random.chance(0.5),
    finds: random.chance(0.4),
    givesStatus,
    cancels: random.chance(0.4),
    takesEarly: asking.chance(0.4),
    // A report that cannot be verified by status() is only believed when signed.
    signs: !givesStatus || random.chance(0.5),
    names: new Random(seed * 8 + 7).pick(['movements', 'totals', 'both'] as const),
  }
  const psp = new Psp({ clock, random: network! }, habits, has('network'), async (push) => {
    const node = nodes.find(({ alive }) => alive)
    if (!node) return false
    const { workings } = node
    const taken = takePush(workings, 'default', workings.payments.adapters[0]!, push)
    // At once, perhaps before the start that it is about has its answer.
    if (habits.takesEarly) taken.then(() => processPushes(workings)).catch(() => {})
    const isTaken = taken.then(
      () => true,
      () => false,
    )
    return Promise.race([isTaken, clock.wait(15_000).then(() => false)])
  })
  const start = () => {
    const { receive: send } = platform
    const publicUrl = 'https://provider.example'
    nodes.push(new Node({ clock, random, store, adapter: psp.adapter(), send, publicUrl }))
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
    const rounds = has('second round') ? 3 : 1
    void customer(String(order), { clock, random: own, platform, psp, merchant, rounds })
  }
  while (clock.now < from + 3 * hour) {
    await clock.moveTo(clock.now + random.between(500, 12 * minute))
    const receiver = receiving!.pick(['well', 'well', 'failing', 'hanging', 'away'] as const)
    if (has('receiver')) platform.receiver = receiver
    if (has('forgeries') && psp.sessions.length > 0 && forging!.chance(0.2))
      psp.forge(forging!.pick(psp.sessions))
    const living = nodes.filter(({ alive }) => alive)
    if (has('kills') && killing!.chance(0.25))
      killing!.pick(living)?.dieAfter(killing!.between(1, 12), killing!.pick(['before', 'waiting', 'after']))
    for (const node of living) if (random.chance(0.7)) void node.work()
    const [reading] = living
    if (reading && asking.chance(0.5)) void feed.readPage(reading.workings.store)
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
  const rest = async (time: number) => {
    await clock.moveTo(clock.now + time)
    for (const node of nodes.filter(({ alive }) => alive)) await Promise.race([node.work(), clock.settle()])
    await clock.settle()
  }
  /** The violated invariants, as sentences that begin with their number. */
  const violations: string[] = []
  for (const time of [...Array(6).fill(5 * minute), ...Array(12).fill(hour)] as number[]) await rest(time)
  for (const { id } of platform.orders.values()) {
    const payment = await store.payment('default', id)
    const sessions = psp.sessions.filter(({ orderId }) => orderId === id)
    if (payment) violations.push(...lateMoney(payment, sessions, clock.now))
  }
  for (let days = 0; days < 34; days++) await rest(day)

  await feed.readAll(store)
  violations.push(...merchant.faults(psp))
  for (const order of platform.orders.values()) {
    const payment = await store.payment('default', order.id)
    violations.push(
      ...(await broken({ order, payment, store, psp, feed })).map((one) => `order ${order.id}: ${one}`),
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

interface CustomersWorld {
  clock: Clock
  random: Random
  platform: Platform
  psp: Psp
  merchant: Merchant
  rounds: number
}

/** One customer's actions: pays, perhaps twice, late or never; changes the cart; returns, or not. */
async function customer(
  id: string,
  { clock, random, platform, psp, merchant, rounds }: CustomersWorld,
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
    if (money.chance(0.4)) {
      const [time, amount] = [money.between(minute, 5 * hour), money.pick([1, 3])]
      clock.after(time, () => void merchant.refund(session.reference, amount))
    }
  }
}
