import assert from 'node:assert/strict'
import { type CheckOptions, type CheckReport, checkProvider, conformanceCases } from '../conformance/index.ts'
import type { Served } from '../contract/served.ts'
import { wrongCall } from '../errors/errors.ts'
import { MovingClock } from '../sandbox/clock.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox/index.ts'
import type { RunningTest, Test } from './adapter-case.ts'

/** A clock for `createProvider({ clock })` and `startSandbox(provider, { clock })`: both move with `shop.advance('2h')`. */
export function movableClock(): MovingClock {
  // biome-ignore lint/complexity/noArguments: its type has no argument
  if (arguments.length > 0) throw wrongCall('movableClock() takes no argument: move it with advance(ms)')
  return new MovingClock()
}

/** The members of a provider that starting needs. */
export interface StartableProvider {
  readonly services: readonly Served[]
  /** Whether the cart of the shop asks it for estimates. Default true. */
  readonly estimates?: boolean
  listen(options: { port: number }): Promise<{ endpoint: string }>
  stop(): Promise<void>
}

/** Options of `startSandbox`. */
export interface StartOptions extends SandboxOptions {
  /** The clock of the provider, a `movableClock()`: it moves with `shop.advance('2h')`. Default: only the shop's moves. */
  clock?: MovingClock
}

/** Starts a provider and a shop that calls it. Closing the shop stops the provider too. */
export async function startSandbox(
  provider: StartableProvider,
  { clock, ...options }: StartOptions = {},
): Promise<Sandbox & { endpoint: string }> {
  if (typeof provider?.listen !== 'function')
    throw wrongCall('startSandbox() takes a provider of createProvider()')
  const { endpoint } = await provider.listen({ port: 0 })
  const moving = clock && { moveProviders: async (ms: number) => clock.move(ms) }
  const { services, estimates } = provider
  const shop = createSandbox({ endpoint, services, estimates, ...moving, ...options })
  await shop.listen()
  const { close } = shop
  return Object.assign(shop, {
    endpoint,
    async close() {
      await close()
      await provider.stop()
    },
  })
}

/**
 * Registers the cases of the checker as tests of an endpoint in any language: `testProvider({ test, open })`. `open` resolves with the
 * `urlEndpoint`. A case that cannot be tried is shown as skipped, with its reason, where the runner lets a running test skip itself.
 */
export function testProvider(
  subject: Omit<CheckOptions, 'onResult' | 'onStart' | 'signal'> & {
    test: Test
    open: () => string | Promise<string>
  },
): void {
  const { test, open, ...options } = Object(subject) as typeof subject
  if (typeof test !== 'function' || typeof open !== 'function')
    throw wrongCall('testProvider() takes an object such as { test, open: () => urlEndpoint }')
  const chosen = conformanceCases.filter(({ name }) => options.cases?.includes(name) ?? true)
  let checking: Promise<CheckReport> | undefined
  for (const { name, title } of chosen)
    test(`${title} (${name})`, async function (this: unknown, running = this as RunningTest | undefined) {
      checking ??= Promise.resolve(open()).then((endpoint) => checkProvider(endpoint, options))
      const result = (await checking).results.find((one) => one.name === name)
      assert.ok(result, 'the check ended before this case')
      const { expected, received, remedy, reason, curl = '' } = result
      if (result.result === 'skipped') return void running?.skip?.(reason)
      const says = `expected ${expected}, received ${received}. ${remedy}\n${curl}`
      assert.notEqual(result.result, 'failed', says)
    })
}
