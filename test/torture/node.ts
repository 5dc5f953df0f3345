import type { StorePort } from '../../src/store-port.ts'
import type { Workings } from '../../src/use-cases/parts.ts'
import { WebhookDelivery } from '../../src/use-cases/webhooks/deliver-webhooks.ts'
import type { AnyPaymentAdapter } from '../../src/use-cases/workings.ts'
import { type Outgoing, unobserved } from '../../src/world.ts'
import { checkAttempts, processPushes } from '../background.ts'
import { testWorkings } from '../workings.ts'
import type { Clock } from './clock.ts'
import type { Random } from './random.ts'

const never = new Promise<never>(() => {})
const nothing = () => {}
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/** Before the command, while it waits for its commit, or after the commit and before anybody learns of it. */
export type Death = 'before' | 'waiting' | 'after'

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** One process of the provider. It can be killed at any command of the store. A killed node's later calls reach no one. */
export class Node {
  alive = true
  readonly workings: Workings
  readonly #delivery: WebhookDelivery
  #commandsToLive = Number.POSITIVE_INFINITY
  #death: Death = 'before'

  constructor(options: {
    clock: Clock
    random: Random
    store: StorePort
    adapter: AnyPaymentAdapter
    send: Outgoing['send']
    publicUrl: string
  }) {
    const { clock, random, store, adapter, send, publicUrl } = options
    let tokens = 0
    const prefix = random.between(0, 1e9).toString(36)
    this.workings = testWorkings({
      world: {
        now: () => clock.now,
        after: (ms, call) => clock.after(ms, () => this.alive && call()),
        random: () => random.next(),
        token: () => `${prefix}_${++tokens}`,
        log,
        observer: unobserved,
        outgoing: {
          check: nothing,
          close: nothing,
          fetch: () => never,
          send: (call) => (this.alive ? send(call) : never),
        },
      },
      store: this.#mortal(store),
      payments: [this.#mortalAdapter(adapter)],
      publicUrl,
    })
    this.workings.addresses.pushesOf = async () => `${publicUrl}/n/psp`
    this.#delivery = new WebhookDelivery(this.workings)
  }

  /** It dies at one of its next commands. */
  dieAfter(commands: number, death: Death): void {
    this.#commandsToLive = commands
    this.#death = death
  }

  /** One round of the background work. */
  async work(): Promise<void> {
    await Promise.all([
      checkAttempts(this.workings).catch(nothing),
      processPushes(this.workings).catch(nothing),
      this.#delivery.deliverDue().catch(nothing),
    ])
  }

  #mortal(store: StorePort): StorePort {
    const wrapped = Object.entries(store).map(([name, command]) => [
      name,
      async (...args: unknown[]) => {
        if (!this.alive) return never
        const last = --this.#commandsToLive <= 0
        if (last && this.#death !== 'after') {
          // Code that does not wait for a commit continues meanwhile.
          if (this.#death === 'waiting') await turns(5)
          this.alive = false
          return never
        }
        if (last) this.alive = false
        try {
          const result = await (command as (...args: unknown[]) => Promise<unknown>)(...args)
          return this.alive ? result : never
        } catch (error) {
          if (this.alive) throw error
          return never
        }
      },
    ])
    return Object.fromEntries(wrapped) as StorePort
  }

  /** The payment service hears a call that was made; a dead node does not hear the answer. */
  #mortalAdapter(adapter: AnyPaymentAdapter): AnyPaymentAdapter {
    const mortal = <F extends (...args: never[]) => unknown>(member: F | undefined) =>
      member &&
      (async (...args: never[]) => {
        if (!this.alive) return never
        const result = await Promise.resolve(member(...args)).catch((error: unknown) => {
          if (this.alive) throw error
          return never
        })
        return this.alive ? result : never
      })
    const { start, find, status, cancel, refund, ...rest } = adapter
    return {
      ...rest,
      start: mortal(start)!,
      ...(find && { find: mortal(find) }),
      ...(status && { status: mortal(status) }),
      ...(cancel && { cancel: mortal(cancel) }),
      ...(refund && { refund: mortal(refund) }),
    } as AnyPaymentAdapter
  }
}
