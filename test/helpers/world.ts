import type { AnyPaymentAdapter, AnyRateAdapter } from '../../src/any-adapter.ts'
import type { Workings } from '../../src/parts.ts'
import { newShop } from '../../src/shops/shop.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { type OutgoingAnswer, type OutgoingCall, unobserved, type World } from '../../src/world.ts'

import { testWorkings } from '../workings.ts'

export interface LogLine {
  level: string
  fields: Record<string, unknown>
  message: string
}

let worlds = 0

/** A world whose clock only moves when the test moves it, and whose network is a function. */
export function movableWorld(start = Date.UTC(2026, 0, 1)) {
  let now = start
  let order = 0
  let timers: { at: number; order: number; call: () => void }[] = []
  const lines: LogLine[] = []
  const calls: (OutgoingCall & { at: number })[] = []
  const receiver = {
    answer: async (_call: OutgoingCall): Promise<Partial<OutgoingAnswer>> => ({ status: 200 }),
  }
  const line = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, fields: fields as Record<string, unknown>, message })

  let tokens = 0
  const world: World = {
    node: `node-${++worlds}`,
    now: () => now,
    after(ms, call) {
      const timer = { at: now + ms, order: ++order, call }
      timers.push(timer)
      return () => (timers = timers.filter((one) => one !== timer))
    },
    random: () => 0.5,
    // Like base64url, which has - and _ in it.
    token: (bytes) => `t_${++tokens}-${bytes}`,
    log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    observer: unobserved,
    outgoing: {
      check() {},
      close() {},
      fetch: () => Promise.reject(new Error('no network here')),
      async send(call) {
        calls.push({ ...call, at: now })
        return { status: 200, retryAfter: undefined, body: '', ...(await receiver.answer(call)) }
      },
    },
  }

  /** Lets everything that is ready run. */
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  }

  return {
    world,
    lines,
    calls,
    receiver,
    settle,
    /**
     * Moves the clock, and calls every timer on the way at its own time. Those of one moment are called together, as Node does it. With
     * `by` it moves by so many milliseconds at once: what comes due meanwhile is called at their end, once, as on a machine that is busy.
     */
    async move(ms: number, by = 0) {
      const begun = now
      const end = now + ms
      await settle()
      for (;;) {
        const next = Math.min(...timers.map((timer) => timer.at))
        if (next > end) break
        const steps = by > 0 ? Math.ceil((next - begun) / by) : 0
        const at = by > 0 ? Math.min(end, begun + steps * by) : next
        now = Math.max(now, at)
        for (const timer of timers.filter((one) => one.at <= at).sort((one, other) => one.at - other.at))
          if (timers.includes(timer)) {
            timers = timers.filter((one) => one !== timer)
            timer.call()
          }
        await settle()
      }
      now = end
      await settle()
    },
  }
}

export function providerIn(
  world: World,
  adapters: { rates?: AnyRateAdapter[]; payments?: AnyPaymentAdapter[]; development?: boolean },
): Workings {
  const store = memoryStore()
  // Commands wait for it.
  void store.open()
  return testWorkings({
    world,
    store,
    rates: adapters.rates ?? [],
    payments: adapters.payments ?? [],
    development: adapters.development ?? true,
  })
}

/** A function that throws an error with these words. */
export const throwing = (message: string) => (): never => {
  throw new Error(message)
}

/** An error with a member that does not become text. */
export const unreadable = (member: string): Error =>
  Object.assign(new Error('down'), { [member]: { toString: 1, valueOf: 1 } })

export const shop = { ...newShop('default'), language: 'nl' }
