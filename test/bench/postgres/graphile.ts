import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import { Pool } from 'undici'

const silent = new Logger(() => () => {})

/** The same calls as jobs of graphile-worker, in its batching form. Calls per second. */
export async function graphileDeliveries(databaseUrl: string, url: string, calls: number): Promise<number> {
  const { origin } = new URL(url)
  const shop = new Pool(origin, { connections: 256 })
  const utils = await makeWorkerUtils({ connectionString: databaseUrl, logger: silent })
  await utils.migrate()
  const payload = (order_id: number) => ({ order_id, path: `/webhook?order=${order_id}` })
  const orders = Array.from({ length: calls }, (_, order_id) => order_id)
  await utils.addJobs(orders.map((order) => ({ identifier: 'deliver', payload: payload(order) })))
  await utils.release()

  let delivered = 0
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const since = performance.now()
  const batches = { completeJobBatchDelay: 0, failJobBatchDelay: 0 }
  const runner = await run({
    ...{ connectionString: databaseUrl, logger: silent, noHandleSignals: true },
    preset: { worker: { concurrentJobs: 256, maxPoolSize: 10, localQueue: { size: 500 }, ...batches } },
    taskList: {
      async deliver(payload) {
        const { order_id, path } = payload as { order_id: number; path: string }
        const headers = { 'content-type': 'application/json' }
        const body = JSON.stringify({ order_id })
        const answer = await shop.request({ method: 'POST', path, headers, body })
        await answer.body.dump()
        if (++delivered === calls) resolve()
      },
    },
  })
  await done
  // Deliveries are stored once it has stopped.
  await runner.stop()
  const perSecond = (calls / (performance.now() - since)) * 1000
  await shop.close()
  return perSecond
}
