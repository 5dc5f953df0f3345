import { Background } from '../../src/provider/background.ts'
import { quietWorld } from '../quiet-world.ts'
import { openOwed } from '../stores/cases/store-case.ts'
import { testWorkings } from '../workings.ts'
import { Clock } from './clock.ts'
import { Random } from './random.ts'
import { counted, inMemory } from './virtual-store.ts'

const second = 1000
const minute = 60 * second
export type OutageReport = Awaited<ReturnType<typeof runOutage>>

/** A shop's receiver is down while so many calls are owed to it; another shop's payments go on. In virtual time. */
export async function runOutage(owed: number, hours: number, makeStore = inMemory) {
  const random = new Random(1)
  let busy = 0
  const clock = new Clock(Date.UTC(2026, 0, 1), () => busy === 0)
  const store = counted(await makeStore(), (change) => (busy += change))
  let down = true
  let [callsWhileDown, lastDelivery, slowest, healthy] = [0, 0, 0, 0]
  const heard = new Set<string>()
  const paidAt = new Map<string, number>()

  const world = quietWorld({
    now: () => clock.now,
    after: (ms, call) => clock.after(ms, call),
    random: () => random.next(),
    token: () => 'owner',
    async send(call) {
      const dead = call.url.startsWith('https://dead.example')
      if (dead && down) {
        callsWhileDown++
        throw new Error('connect ECONNREFUSED')
      }
      await clock.wait(20)
      const order = String((JSON.parse(call.body) as { order_id: number }).order_id)
      // The platform reads the status, as it does.
      await store.noteRead(dead ? 'dead' : 'healthy', order, 1, clock.now)
      if (dead) {
        heard.add(call.body)
        lastDelivery = clock.now
      } else slowest = Math.max(slowest, clock.now - paidAt.get(order)!)
      return { status: 200, retryAfter: undefined, body: '' }
    },
  })
  let background: Background | undefined
  const workings = testWorkings({ world, store, wake: () => background?.wake() })
  const pay = async (shopId: string, orderId: string, host: string) => {
    const now = clock.now
    const attemptId = `${shopId}.${orderId}`
    const webhookUrl = `https://${host}/webhook?order=${orderId}`
    const ends = { expiresAt: now + 1e12, checkAt: now + 1e12 }
    await openOwed(store, { shopId, orderId, now, attemptId, webhookUrl, ...ends })
    workings.wake()
  }

  for (let order = 0; order < owed; order += 500) {
    const some = Array.from({ length: Math.min(500, owed - order) }, (_, more) => String(order + more))
    await Promise.all(some.map((id) => pay('dead', id, 'dead.example')))
  }
  background = new Background(workings)
  background.start()
  const end = clock.now + hours * 60 * minute
  while (clock.now < end) {
    const order = String(++healthy)
    paidAt.set(order, clock.now)
    await pay('healthy', order, 'healthy.example')
    await clock.moveTo(Math.min(end, clock.now + random.between(5, 20) * minute))
  }
  down = false
  const recovered = clock.now
  for (let waited = 0; heard.size < owed && waited < 30; waited++) await clock.moveTo(clock.now + minute)
  await background.stop()
  await store.close()
  return {
    owed,
    hours,
    calls_while_down: callsWhileDown,
    /** From the recovery to the last delivery. */
    minutes_to_deliver: Math.round(((lastDelivery - recovered) / minute) * 10) / 10,
    undelivered: owed - heard.size,
    /** The slowest call of the other shop. */
    healthy_slowest_s: slowest / second,
  }
}
