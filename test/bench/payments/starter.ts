import { systemWorld } from '../../../src/network/system-world.ts'
import { storeOf } from '../../../src/stores/open.ts'
import { payment } from '../../http/messages.ts'
import { noLog } from '../../quiet-world.ts'
import { startBy } from '../../start-by.ts'
import { times } from '../../together.ts'
import { testWorkings } from '../../workings.ts'

/** Starts payments on a store, with a payment service that answers at once. `first` is the order before its first one. */
export async function starter(databaseUrl: string, first = 0) {
  const store = storeOf(databaseUrl)
  await store.open()
  let order = first
  let reference = 0
  const start = () => ({ redirect: 'https://psp.example/1', reference: `tr_${++reference}` })
  const world = systemWorld(noLog, { loopback: true })
  const workings = testWorkings({ world, store, payments: [{ name: 'psp', methods: () => [], start }] })
  const webhook_url = 'https://127.0.0.1/webhook'
  return {
    start: (starts: number, callers: number) =>
      times(starts, callers, () => startBy(workings, { ...payment({ id: ++order }), webhook_url })),
    close: () => store.close(),
  }
}
