import type { ContentSeal } from '../../payments/page-tokens.ts'
import type { StorePort } from '../../store-port.ts'
import { newWorkings, type Workings } from '../../use-cases/workings.ts'
import { type Log, unobserved } from '../../world.ts'
import { storeTime } from './store.ts'

const nothing = () => {}
const silent: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
const calls = () => {
  throw new TypeError('A command makes no outgoing calls: the running provider does')
}

/** The world of a use case that changes the store. The running provider delivers the webhooks that it owes, within seconds. */
export const commandWorld = (store: StorePort, contents?: ContentSeal): Workings =>
  newWorkings({
    world: {
      now: () => storeTime(store),
      after: () => nothing,
      random: Math.random,
      token: calls,
      log: silent,
      outgoing: { fetch: calls, send: calls, check: nothing, close: nothing },
      observer: unobserved,
    },
    store,
    seal: new Proxy({} as Workings['seal'], { get: () => calls }),
    pushUrl: calls,
    ...(contents && { contents }),
  })
