import type { AnyPaymentAdapter } from '../../src/any-adapter.ts'
import type { Workings } from '../../src/parts.ts'
import type { StorePort } from '../../src/store-port.ts'
import { WebhookDelivery } from '../../src/webhooks/deliver-webhooks.ts'
import type { Outgoing } from '../../src/world.ts'
import { checkAttempts, processPushes } from '../background.ts'
import { quietWorld } from '../quiet-world.ts'
import { testWorkings } from '../workings.ts'
import { aroundCommands } from './around-commands.ts'
import type { Clock } from './clock.ts'
import type { Random } from './random.ts'

const never = new Promise<never>(() => {})
const nothing = () => {}

/** Before the command, while it waits for its commit, or after the commit and before anybody learns of it. */
export type Death = 'before' | 'waiting' | 'after'

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

interface NodeOptions {
  clock: Clock
  random: Random
  store: StorePort
  adapter: AnyPaymentAdapter
  send: Outgoing['send']
  publicUrl: string
}

/** One process of the provider. It can be killed at any command of the store. A killed node's later calls reach no one. */
export class Node {
  alive = true
  readonly workings: Workings
  readonly #delivery: WebhookDelivery
  #commandsToLive = Number.POSITIVE_INFINITY
  #death: Death = 'before'

  constructor({ clock, random, store, adapter, send, publicUrl }: NodeOptions) {
    let tokens = 0
    const prefix = random.between(0, 1e9).toString(36)
    this.workings = testWorkings({
      world: quietWorld({
        now: () => clock.now,
        after: (ms, call) => clock.after(ms, () => this.alive && call()),
        random: () => random.next(),
        token: () => `${prefix}_${++tokens}`,
        fetch: () => never,
        send: (call) => (this.alive ? send(call) : never),
      }),
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
      this.#delivery.pool.wake().catch(nothing),
    ])
  }

  /** A dead node learns of nothing any more. */
  async #unlessDead<T>(answer: Promise<T>): Promise<T> {
    const [result] = await Promise.allSettled([answer])
    if (!this.alive) return never
    if (result.status === 'rejected') throw result.reason
    return result.value
  }

  #mortal(store: StorePort): StorePort {
    return aroundCommands(store, async (command) => {
      if (!this.alive) return never
      const last = --this.#commandsToLive <= 0
      if (last && this.#death !== 'after') {
        // Code that does not wait for a commit continues meanwhile.
        if (this.#death === 'waiting') await turns(5)
        this.alive = false
        return never
      }
      if (last) this.alive = false
      return this.#unlessDead(command())
    })
  }

  /** The payment service hears a call that was made; a dead node does not hear the answer. */
  #mortalAdapter(adapter: AnyPaymentAdapter): AnyPaymentAdapter {
    const members = ['start', 'find', 'status', 'cancel', 'refund'] as const
    const mortal = members.flatMap((name) => {
      const member = adapter[name] as ((...args: unknown[]) => unknown) | undefined
      const call = async (...args: unknown[]) =>
        this.alive ? this.#unlessDead(Promise.resolve(member!(...args))) : never
      return member ? [[name, call] as const] : []
    })
    return { ...adapter, ...Object.fromEntries(mortal) }
  }
}
