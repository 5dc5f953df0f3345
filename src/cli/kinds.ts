import type { Inspection } from '../provider/inspection.ts'
import type { Provider } from '../provider/provider.ts'
import type { StorePort } from '../store-port.ts'
import { json, provider } from './options.ts'
import type { Arguments, Command, Given, None, Options, Runnable } from './table.ts'

// Kinds of commands. What they need is loaded when they run.

type Json = Given<typeof json>
type Own = Given<typeof provider & typeof json>

/** A command on the store. A shop that `--shop` names is there. `now` is the time of the store, in milliseconds since 1970. */
export const onStore = <const A extends Arguments = None, const O extends Options = None>(
  one: Runnable<A, O, (given: Given<A> & Given<O> & Json, store: StorePort, now: number) => Promise<unknown>>,
): Command => ({
  ...one,
  options: { ...one.options, ...json },
  async run(given: Given<A> & Given<O> & Json & { shop?: string }) {
    const { withShop } = await import('./store.ts')
    const shop = '--shop <id>' in (one.options ?? {}) ? given.shop : undefined
    await withShop(shop, (store, now) => one.run(given, store, now))
  },
})

type OnProvider<Given> = (given: Given, provider: Provider, inspection: () => Inspection) => Promise<unknown>

/** A command that loads the provider of this folder. */
export const onProvider = <const A extends Arguments = None, const O extends Options = None>(
  one: Runnable<A, O, OnProvider<Given<A> & Given<O> & Own>>,
): Command => ({
  ...one,
  options: { ...provider, ...json, ...one.options },
  async run(given: Given<A> & Given<O> & Own) {
    const { withProvider } = await import('./provider/with-provider.ts')
    await withProvider(given, (lent, inspection) => one.run(given, lent, inspection))
  },
})

const shop = { '<shop>': 'the id of the shop' }

/** The same about one of its shops. */
export const ofShop = <const A extends Arguments = None, const O extends Options = None>(
  one: Runnable<A, O, OnProvider<Given<typeof shop & A> & Given<O> & Own>>,
): Command => onProvider<typeof shop & A, O>({ ...one, arguments: { ...shop, ...(one.arguments as A) } })
