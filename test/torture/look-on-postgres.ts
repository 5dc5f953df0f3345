// One search on a server of its own: `node look-on-postgres.ts races`. Prints what was found as one JSON line.
import { setTimeout as delay } from 'node:timers/promises'
import { postgresStore } from '../../src/stores/postgres.ts'
import { connectTo, startPostgres } from '../postgres.ts'
import { open } from '../stores/cases/store-case.ts'
import { FeedReader } from './feed-reader.ts'
import { runRaces } from './races.ts'
import { runLostCommits } from './restarts.ts'
import { simulate } from './simulation.ts'
import { onServer } from './virtual-store.ts'

/** In milliseconds: several times what a sound store takes. */
const patience = 60_000

const server = await startPostgres()

const slowChange = `insert into changes (shop_id, order_id, attempt_id, at, kind, status)
  values ('default', 'slow', 'slow', 0, 'pending', 'pending')`

const searches = {
  async races() {
    const { split } = await runRaces(500, await server.database())
    return split > 0 && `${split} orders were split`
  },
  /** Calls for the same orders that one process makes in one moment. */
  async crowd() {
    const store = postgresStore({ url: await server.database() })
    await store.open()
    const calls = Array.from({ length: 40 }, (_, call) =>
      open({ orderId: `${call % 10}`, attemptId: `a${call}` }),
    )
    const opened = await Promise.all(calls.map((call) => store.openAttempt(call)))
    const attempts = new Set(opened.map(({ attempt }) => attempt.id)).size
    await store.close()
    return attempts !== 10 && `${attempts} attempts for 10 orders`
  },
  /** A program that follows the feed of changes while nodes store movements of many orders, and one of them is slow to commit. */
  async feed() {
    const url = await server.database()
    const nodes = [postgresStore({ url }), postgresStore({ url })]
    for (const node of nodes) await node.open()
    const orders = Array.from({ length: 40 }, (_, order) => `${order}`)
    const attempts = await Promise.all(
      orders.map((orderId) => nodes[0]!.openAttempt(open({ orderId, attemptId: `a${orderId}` }))),
    )
    const feed = new FeedReader()
    const slow = await connectTo(url)
    await slow.query('begin')
    await slow.query(slowChange)
    let isWriting = true
    const reading = (async () => {
      while (isWriting) await feed.readPage(nodes[0]!, 20)
    })()
    for (let round = 0; round < 30; round++) {
      const learning = attempts.map(({ attempt: { id, orderId } }, place) => {
        const paid = { word: 'paid', amount: '1.00', currency: 'eur', event: `${round}` } as const
        return nodes[place % 2]!.learn('default', orderId, id, [paid], { source: 'push', now: round })
      })
      await Promise.all(learning)
    }
    isWriting = false
    await reading
    await slow.query('commit')
    await slow.end()
    await feed.readAll(nodes[0]!)
    const payments = await Promise.all(orders.map((orderId) => nodes[0]!.payment('default', orderId)))
    for (const node of nodes) await node.close()
    if (!feed.hasRead('slow')) return 'a change that was committed late is not in the feed'
    return payments.flatMap((payment) => feed.faults(payment!))[0]
  },
  async commits() {
    const { repeated } = await runLostCommits(12, server)
    return repeated > 0 && `${repeated} commands were carried out twice, or not at all`
  },
  async schedules() {
    const { make, close } = await onServer(await server.database())
    let found: string | undefined
    for (let seed = 1; seed <= 60 && !found; seed++) found = (await simulate(seed, [], make)).violations[0]
    await close()
    return found
  },
}

export type PostgresSearch = keyof typeof searches

const search = searches[process.argv[2] as PostgresSearch]
const found = await Promise.race([
  search().catch((error: unknown) => `it broke: ${error}`),
  delay(patience, 'it came to no end'),
])
console.log(JSON.stringify({ found: found || undefined }))
await server.remove()
process.exit()
