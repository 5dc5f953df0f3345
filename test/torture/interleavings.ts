import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Db } from '../../src/store/columns.ts'
import { slotOf } from '../../src/store/holds.ts'
import type { Command, Step } from '../../src/store/query.ts'
import {
  type Flights,
  HeldElsewhere,
  MustBeAlone,
  Running,
  sideBySide,
} from '../../src/store/side-by-side.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { sqlCommands } from '../../src/store-commands.ts'
import { claim, delivered, open, paid, redirect, start, times } from '../stores/cases/store-case.ts'
import type { Found } from './found.ts'
import { lastDelivered } from './last-delivered.ts'
import { Random } from './random.ts'

// Two nodes whose transactions run side by side, in an order of their flights that a seed chooses. The server is a model: it knows the rows
// that are held, answers one flight at a time, and carries out the last flight of a transaction as one.

/** A database that has seen so many interleavings is replaced: its tables stay small. */
const perDatabase = 500

export async function runInterleavings(count: number, seed = 1): Promise<Found> {
  const random = new Random(seed)
  const violations: string[] = []
  let server: Server | undefined
  for (let number = 0; number < count && violations.length < 10; number++) {
    if (number % perDatabase === 0) {
      server?.close()
      server = await openServer(random)
    }
    const [name, play] = random.pick(Object.entries(plays))
    const violation = await play(server!, `${number}`, random)
    if (violation) violations.push(`seed ${seed}, ${number}, ${name}: ${violation}`)
  }
  server?.close()
  return { tries: count, violations }
}

/** A flight of a node that is not answered yet. */
interface Flight {
  answer(): void
}

class Server {
  readonly commands: ReturnType<typeof sqlCommands>
  readonly #database: DatabaseSync
  readonly #random: Random
  readonly #statements = new Map<string, StatementSync>()
  readonly #held = new Map<number, number>()
  /** The flights of each node, in their order. */
  readonly #flights: Flight[][] = [[], []]

  constructor(database: DatabaseSync, commands: ReturnType<typeof sqlCommands>, random: Random) {
    this.#database = database
    this.commands = commands
    this.#random = random
  }

  close(): void {
    this.#database.close()
  }

  /** One command while nobody else does anything. */
  alone<T>(command: Command<T>): T {
    let wait = command.next()
    while (!wait.done) wait = command.next('steps' in wait.value ? this.#carryOut(wait.value.steps) : [])
    return wait.value
  }

  /** The commands of two nodes side by side. Resolves with what they return, in their order. */
  async beside(nodes: readonly (readonly (() => Command<unknown>)[])[]): Promise<unknown[]> {
    let running = nodes.length
    const values = Promise.all(
      nodes.map(async (commands, node) => {
        const found = await this.#runAll(node, commands)
        running--
        return found
      }),
    )
    while (running > 0) {
      await new Promise(setImmediate)
      const waiting = this.#flights.filter((flights) => flights.length > 0)
      if (waiting.length > 0) this.#random.pick(waiting).shift()!.answer()
    }
    return (await values).flat()
  }

  /** As a writer does: no two of a transaction hold the same, and those that do not get their holds begin again. */
  async #runAll(node: number, commands: readonly (() => Command<unknown>)[]): Promise<unknown[]> {
    const values: unknown[] = commands.map(() => undefined)
    let left = [...commands.keys()]
    while (left.length > 0) {
      const held = new Set<string>()
      const group = new Map<number, Running>()
      for (const index of left) {
        const running = new Running(commands[index]!())
        if (running.holds.every((thing) => !held.has(thing))) group.set(index, running)
        for (const thing of running.holds) held.add(thing)
      }
      await sideBySide([...group.values()], this.#transactionOf(node))
      this.#letGo(node)
      for (const [index, { outcome }] of group) {
        if ('value' in outcome!) values[index] = outcome.value
        else if (outcome!.error instanceof MustBeAlone)
          values[index] = (await this.#runAll(node, [commands[index]!]))[0]
        else if (outcome!.error instanceof HeldElsewhere) continue
        else throw outcome!.error
        left = left.filter((one) => one !== index)
      }
    }
    return values
  }

  #transactionOf(node: number): Flights {
    let last: (() => void)[] | undefined
    const fly = <T>(answer: () => T) =>
      new Promise<T>((resolve) => this.#flights[node]!.push({ answer: () => resolve(answer()) }))
    return {
      take: (things) => fly(() => new Set(things.filter((thing) => !this.#take(node, thing)))),
      async begun() {
        last = []
      },
      send: (steps) =>
        last
          ? new Promise((resolve) => last!.push(() => resolve(this.#carryOut(steps))))
          : fly(() => this.#carryOut(steps)),
      commit: () =>
        fly(() => {
          for (const answer of last!) answer()
          this.#letGo(node)
        }),
    }
  }

  #take(node: number, thing: string): boolean {
    const slot = slotOf(thing)
    if ((this.#held.get(slot) ?? node) !== node) return false
    this.#held.set(slot, node)
    return true
  }

  #letGo(node: number): void {
    for (const [slot, holder] of this.#held) if (holder === node) this.#held.delete(slot)
  }

  #carryOut(steps: readonly Step[]): unknown[][] {
    return steps.map(({ sql, values }) => {
      const known = this.#statements.get(sql) ?? this.#database.prepare(sql)
      this.#statements.set(sql, known)
      return known.all(...values)
    })
  }
}

async function openServer(random: Random): Promise<Server> {
  const database = await openSqlite(':memory:')
  return new Server(database, sqlCommands(new Db('sqlite')), random)
}

/** What two nodes do at a time, and what is wrong afterwards. */
type Play = (server: Server, id: string, random: Random) => Promise<string | undefined>

const shopId = 'default'
const some = (random: Random, most: number) =>
  Array.from({ length: random.between(1, most) }, (_, one) => one)

function opened(server: Server, orderId: string) {
  const { attempt } = server.alone(server.commands.openAttempt(open({ orderId, attemptId: `${orderId}.1` })))
  server.alone(server.commands.noteStart(attempt, { ...redirect, reference: orderId }, times(60)))
  return attempt
}

const learn =
  ({ commands }: Server, orderId: string, statement: Statement) =>
  () =>
    commands.learn(shopId, orderId, `${orderId}.1`, [statement], { source: 'push', now: start })

type Statement = Parameters<Server['commands']['learn']>[3][number]

const plays: Record<string, Play> = {
  async starts(server, id, random) {
    const orders = [`${id}a`, `${id}b`]
    const asked: string[] = []
    const answers = await server.beside(
      [0, 1].map((node) =>
        some(random, 3).map((call) => {
          const orderId = random.pick(orders)
          asked.push(orderId)
          return () => server.commands.openAttempt(open({ orderId, attemptId: `${orderId}.${node}.${call}` }))
        }),
      ),
    )
    const idOf = (answer: unknown) => (answer as { attempt: { id: string } }).attempt.id
    for (const orderId of new Set(asked)) {
      const ids = answers.filter((_, index) => asked[index] === orderId).map(idOf)
      const payment = server.alone(server.commands.payment(shopId, orderId))!
      if (new Set(ids).size !== 1 || payment.attempts.length !== 1)
        return `order ${orderId} has ${payment.attempts.length} attempts, its callers got ${ids.join(', ')}`
    }
    return undefined
  },

  async movements(server, id, random) {
    opened(server, id)
    opened(server, `${id}r`)
    const statements = [0, 1].map(() =>
      some(random, 3).map((): Statement => {
        const word = random.pick(['paid', 'refunded', 'charged_back'] as const)
        const event = `${word} ${random.between(1, 2)}`
        return { word, amount: word === 'paid' ? '29.34' : '5.00', currency: 'eur', event }
      }),
    )
    await server.beside(statements.map((ofNode) => ofNode.map((one) => learn(server, id, one))))
    // The same, one after the other.
    for (const one of statements.flat()) server.alone(learn(server, `${id}r`, one)())
    const payment = server.alone(server.commands.payment(shopId, id))!
    const alike = server.alone(server.commands.payment(shopId, `${id}r`))!
    const events = ({ attempts }: typeof payment) =>
      attempts[0]!.facts.map(({ kind, event }) => `${kind} ${event}`).toSorted()
    if (events(payment).join() !== events(alike).join())
      return `the facts are ${events(payment).join()} and not ${events(alike).join()}`
    if (payment.status !== alike.status) return `the status is ${payment.status} and not ${alike.status}`
    return owedOrDelivered(server, id)
  },

  async refunds(server, id) {
    const { id: attemptId } = opened(server, id)
    server.alone(learn(server, id, { ...paid, event: 'p' })())
    const ask = (key: string) => () =>
      server.commands.openMoneyRequest({
        ...{ shopId, orderId: id, kind: 'refund', attemptId, amount: '20.00', key, newKey: key },
        ...{ now: start, by: 'test' },
      })
    const answers = (await server.beside([[ask('1')], [ask('2')]])) as { outcome: string }[]
    const outcomes = answers.map(({ outcome }) => outcome).toSorted()
    return outcomes.join() === 'opened,too much' ? undefined : `two refunds of 20.00 of 29.34: ${outcomes}`
  },

  async deliveries(server, id) {
    opened(server, id)
    server.alone(learn(server, id, { ...paid, event: 'p' })())
    const claims = { ...claim, limit: 1_000, perLane: 1_000, owner: id }
    const webhook = server.alone(server.commands.claimWebhooks(claims)).find(({ orderId }) => orderId === id)!
    const refund: Statement = { word: 'refunded', amount: '5.00', currency: 'eur', event: 'r' }
    await server.beside([
      [() => server.commands.settleWebhook(webhook, delivered())],
      [learn(server, id, refund), () => server.commands.noteRead(shopId, id, 1, start)],
    ])
    return owedOrDelivered(server, id)
  },
}

function owedOrDelivered(server: Server, orderId: string): string | undefined {
  const { statusVersion, deliveredVersion } = server.alone(server.commands.payment(shopId, orderId))!
  const [state] = server.alone(server.commands.webhooks({ shopId, orderId, limit: 1 }))
  const isOwed = state?.dueAt !== undefined
  const delivered = lastDelivered(server.alone(server.commands.deliveries(shopId, orderId)))
  return isOwed === delivered < statusVersion && delivered === deliveredVersion
    ? undefined
    : `status ${statusVersion}, delivered ${delivered} (said ${deliveredVersion}), and the webhook is ${isOwed ? '' : 'not '}owed`
}

// In a process of its own: `node interleavings.ts <count> <seed>` prints its report as one JSON object.
if (import.meta.main) {
  const [count, seed] = process.argv.slice(2).map(Number)
  console.log(JSON.stringify(await runInterleavings(count!, seed)))
}
