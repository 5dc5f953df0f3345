// One search on a server of its own: `node look-on-postgres.ts crowd`. Prints what was found as one JSON line.
import { setTimeout as delay } from 'node:timers/promises'
import type { Delivered, OwedWebhook, StorePort } from '../../src/store-port.ts'
import { postgresStore } from '../../src/stores/postgres.ts'
import { connectTo, startPostgres } from '../postgres.ts'
import {
  claim,
  delivered,
  endpoint,
  minute,
  open,
  openOwed,
  paid,
  start,
} from '../stores/cases/store-case.ts'
import { waitsWhileAway } from '../stores/waits.ts'
import { FeedReader } from './feed-reader.ts'
import { runInterleavings } from './interleavings.ts'
import { lastDelivered } from './last-delivered.ts'
import { runRemovals } from './removals.ts'
import { runLostCommits } from './restarts.ts'
import { simulate } from './simulation.ts'
import { onServer } from './virtual-store.ts'

/** In milliseconds: several times what a sound store takes. */
const patience = 60_000

const server = await startPostgres()

const slowChange = `insert into changes (shop_id, order_id, attempt_id, at, kind, status)
  values ('default', 'slow', 'slow', 0, 'pending', 'pending')`

/** So many nodes on one database, until the end of the block. */
async function openNodes(count: number, database?: string) {
  const url = database ?? (await server.databaseWithTables())
  const nodes = Array.from({ length: count }, () => postgresStore({ url }))
  for (const node of nodes) await node.open()
  return Object.assign(nodes as [StorePort, StorePort, ...StorePort[]], {
    url,
    [Symbol.asyncDispose]: async () => void (await Promise.all(nodes.map((node) => node.close()))),
  })
}

/** Opens orders and receives each in parts, all in one moment. Resolves with how many are not paid then. */
async function learnInParts(nodes: readonly StorePort[], parts: number, amount: string): Promise<number> {
  const calls = Array.from({ length: parts * 10 }, (_, call) => ({
    node: nodes[call % nodes.length]!,
    orderId: `${Math.floor(call / parts)}`,
    event: `${call}`,
  }))
  const opened = await Promise.all(
    calls.map(({ node, orderId, event }) => node.openAttempt(open({ orderId, attemptId: `a${event}` }))),
  )
  await Promise.all(
    calls.map(({ node, orderId, event }, call) =>
      node.learn('default', orderId, opened[call]!.attempt.id, [{ ...paid, amount, event }], {
        source: 'push',
        now: start,
      }),
    ),
  )
  const payments = await nodes[0]!.payments({ limit: 100 })
  return payments.filter(({ status, attempts }) => status !== 'paid' || attempts.length > 1).length
}

const searches = {
  /** Two nodes learn of one half of each order in the same moment. */
  async halves() {
    await using nodes = await openNodes(2)
    const unpaid = await learnInParts(nodes, 2, '14.67')
    return unpaid > 0 && `${unpaid} orders are not paid, although two nodes have learned of all of it`
  },
  /** Calls for the same orders that one process makes in one moment. */
  async crowd() {
    await using nodes = await openNodes(1)
    const unpaid = await learnInParts(nodes, 4, '7.34')
    return unpaid > 0 && `${unpaid} orders are not paid, although all of it was received`
  },
  /** A program that follows the feed of changes while nodes store movements of many orders, and one of them is slow to commit. */
  async feed() {
    await using nodes = await openNodes(2, await server.database())
    const orders = Array.from({ length: 40 }, (_, order) => `${order}`)
    const attempts = await Promise.all(
      orders.map((orderId) => nodes[0].openAttempt(open({ orderId, attemptId: `a${orderId}` }))),
    )
    const feed = new FeedReader()
    const slow = await connectTo(nodes.url)
    await slow.query('begin')
    await slow.query(slowChange)
    let isWriting = true
    const reading = (async () => {
      while (isWriting) await feed.readPage(nodes[0], 20)
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
    await feed.readAll(nodes[0])
    const payments = await Promise.all(orders.map((orderId) => nodes[0].payment('default', orderId)))
    if (!feed.hasRead('slow')) return 'a change that was committed late is not in the feed'
    return payments.flatMap((payment) => feed.faults(payment!))[0]
  },
  /** Three nodes settle and claim beside each other, and one comes back after another has taken over its call. */
  async batches() {
    await using nodes = await openNodes(3)
    const [first, second] = nodes
    const owe = (order: number) => openOwed(first, { orderId: `${order}` })
    await owe(0)
    const [lost] = await first.claimWebhooks({ ...claim, owner: '0' })
    const taken = { ...claim, now: start + minute, leaseUntil: start + 60 * minute }
    const [takenOver] = await second.claimWebhooks({ ...taken, owner: '1' })
    await first.settleWebhooks([{ owed: lost!, call: delivered() }])
    const left = await first.countWebhooks()
    await second.settleWebhooks([{ owed: takenOver!, call: delivered() }])
    const orders = 240
    for (let order = 1; order <= orders; order++) await owe(order)
    const called: string[] = []
    let rounds = 0
    await Promise.all(
      nodes.map(async (node, number) => {
        let batch: Delivered[] = []
        let under: OwedWebhook[] = []
        while (called.length < orders && rounds++ < 10 * orders) {
          const now = start + minute + 50 * rounds
          const next = { ...taken, now, perLane: 12, limit: 8, owner: `${number}` }
          await node.settleWebhooks(batch)
          const claimed = await node.claimWebhooks(next)
          called.push(...claimed.map(({ orderId }) => orderId))
          // Some of its calls are still under way.
          const ended = [...under, ...claimed].slice(0, 5)
          under = [...under, ...claimed].slice(5)
          batch = ended.map((owed) => ({ owed, call: delivered(now) }))
        }
        await node.settleWebhooks([...batch, ...under.map((owed) => ({ owed, call: delivered() }))])
      }),
    )
    const payments = await first.payments({ limit: orders + 1 })
    const calls = await Promise.all(payments.map(({ shopId, orderId }) => first.deliveries(shopId, orderId)))
    if (left.owed !== 1) return 'a process has settled a call that another one had'
    if (called.length !== new Set(called).size) return 'two processes have called for one webhook'
    const missed = calls.filter((ofOrder) => lastDelivered(ofOrder) < 1)
    return missed.length > 0 && `${missed.length} webhooks were never called, and are not owed`
  },
  /** Every order of the flights of two nodes, in a model of the rows that they hold. */
  async interleavings() {
    return (await runInterleavings(3_000)).violations[0]
  },
  /** Two nodes whose groups learn of orders in the same lanes: neither waits for the other in a circle. */
  async circles() {
    await using nodes = await openNodes(2)
    let locked = 0
    for (const node of nodes) node.watch?.(({ code }) => void (code === 'ROW_LOCKED' && locked++))
    const shops = Array.from({ length: 12 }, (_, shop) => `shop-${shop}`)
    for (let round = 0; round < 240 && locked === 0; round++) {
      const of = (node: number) => (node === 0 ? shops : shops.toReversed())
      await Promise.all(
        nodes.flatMap((store, node) =>
          of(node).map((shopId) => {
            const orderId = `${round}.${node}`
            return openOwed(store, { shopId, orderId, attemptId: `${shopId}.${orderId}` })
          }),
        ),
      )
    }
    return locked > 0 && `${locked} times a row was locked for so long that its command left its group`
  },
  /** Two nodes replace the address of a shop in the same moment: two of its addresses are live at most. */
  async administration() {
    await using nodes = await openNodes(2)
    const [one, other] = nodes
    await one.ensureShop('default', endpoint('first'))
    let most = 0
    for (let round = 1; round <= 40; round++) {
      const now = start + round
      const rotate = (node: StorePort, name: string) =>
        node.rotateEndpoint('default', endpoint(`${name}${round}`, now), now + minute)
      await Promise.all([rotate(one, 'a'), rotate(other, 'b')])
      most = Math.max(most, (await one.liveEndpoints(now)).length)
    }
    return most > 2 && `${most} addresses of a shop were live at a time`
  },
  /** Two nodes get the form of one page in the same moment: one of them carries it out. */
  async pages() {
    await using nodes = await openNodes(2)
    const [one, other] = nodes
    let both = 0
    for (let round = 0; round < 60; round++) {
      const { attempt } = await one.openAttempt(open({ orderId: `${round}`, attemptId: `a${round}` }))
      const lease = { now: start, until: start + minute, seen: undefined, state: 'sent' }
      const leased = await Promise.all(
        [one, other].map((node) => node.leasePage('default', attempt.id, lease)),
      )
      if (leased.every(Boolean)) both++
    }
    return both > 0 && `both nodes carried out the form of ${both} pages`
  },
  /** Calls of one process queue behind each other while the server is away. */
  async away() {
    const store = postgresStore({ url: await server.databaseWithTables() })
    await store.open()
    await server.stop()
    const other = [...(await waitsWhileAway(store))].find((waited) => waited !== 'refused')
    await server.start()
    await store.close()
    return other && `a call was ${other} while the server was away`
  },
  /** Shops are removed beside everything that two processes write for them. */
  async removals() {
    return (await runRemovals(48, 1, await server.databaseWithTables())).violations[0]
  },
  /** A server that becomes a standby refuses calls as a server that is away, and takes them again once it is the primary. */
  async demoted() {
    const store = postgresStore({ url: await server.databaseWithTables() })
    await store.open()
    await server.demote()
    const failing = ({ code }: { code?: string }) => code
    const answer = () => store.openAttempt(open({ orderId: '1' })).then(() => 'answered', failing)
    const refused = await answer()
    await server.promote()
    const healed = await answer()
    await store.close()
    const found = `${refused}, ${healed}`
    return found !== 'STORE_UNAVAILABLE, answered' && `a standby, and then the primary: ${found}`
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
