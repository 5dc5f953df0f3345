import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { listenOn } from '../../src/http/server.ts'
import { payment } from '../http/messages.ts'
import { postJson } from '../http/post.ts'
import { temporaryFolder } from '../temporary.ts'
import { Random } from './random.ts'

export interface KillsReport {
  kills: number
  orders: number
  /** Refunds and chargebacks whose pushes were answered before the last kill. */
  movements: number
  /** Answers that were acknowledged and are gone, payments the shop never heard of, and movements that are not on record. */
  lost: number
  /** Statuses and movements that the payment service's ledger does not bear out. */
  invented: number
  double_sessions: number
}

const points = [
  ...'openAttempt start noteStart status learn noteRead claimWebhooks settleWebhooks'.split(' '),
  ...'keepPush claimPushes settlePush claimChecks'.split(' '),
]
const failpoints = points.flatMap((point) => [`before ${point}`, `after ${point}`])

interface Session {
  reference: string
  key: string
  orderId: string
  amount: string
  pushUrl: string
  paid: boolean
  /** What went back after it was paid. */
  movements: Movement[]
}

interface Movement {
  status: 'refunded' | 'charged_back'
  amount: string
  event: string
  /** Whether our answer said that its push is on disk. */
  isTaken: boolean
}

/**
 * SIGKILL at random moments of a provider under load. The ledgers of the payment service and of the platform live in this process, which no
 * kill touches. Everything acknowledged before a kill must be true after it.
 */
export async function runKills(kills: number, seed: number, databaseUrl?: string): Promise<KillsReport> {
  const random = new Random(seed)
  using folder = temporaryFolder()
  using world = await Ledgers.open()
  const report: KillsReport = { kills: 0, orders: 0, movements: 0, lost: 0, invented: 0, double_sessions: 0 }
  let child: ChildProcess | undefined
  using ends = new DisposableStack()
  ends.defer(() => void child?.kill('SIGKILL'))
  let order = 0
  for (; report.kills <= kills; report.kills++) {
    // Every other process dies at a named point, if it gets there, and every one by a kill at a random moment.
    const failpoint = report.kills % 2 === 0 ? random.pick(failpoints) : undefined
    const last = report.kills === kills
    const store = databaseUrl ?? `sqlite:${folder.at('kills.db')}`
    const started = await start(store, world.url, last ? undefined : failpoint)
    child = started.child
    await world.recheck(started.endpoint, report)
    if (last) {
      await world.rest(report)
      await world.countMoney(started, report)
      break
    }
    const { ended } = started
    const load = Array.from({ length: 6 }, () => world.payOrder(started.endpoint, String(++order), random))
    await Promise.race([ended, delay(random.between(0, failpoint ? 400 : 60))])
    child.kill('SIGKILL')
    await Promise.all([ended, ...load])
  }
  report.orders = order
  report.double_sessions = world.doubleSessions()
  return report
}

async function start(
  file: string,
  psp: string,
  failpoint: string | undefined,
): Promise<{ child: ChildProcess; endpoint: string; ended: Promise<void> }> {
  const args = [file, psp, ...(failpoint === undefined ? [] : [failpoint])]
  const child = fork(new URL('./kill-provider.ts', import.meta.url), args, { execArgv: [] })
  const ended = once(child, 'exit').then(() => {})
  const said = (await Promise.race([once(child, 'message'), ended])) as [{ endpoint: string }] | undefined
  // At some points it dies before it serves anybody.
  return said ? { child, endpoint: said[0].endpoint, ended } : start(file, psp, undefined)
}

/** The payment service's ledger and the platform's, with the server both are reached at. */
class Ledgers {
  readonly url: string
  readonly #server: Server
  readonly #byKey = new Map<string, Session>()
  readonly #byReference = new Map<string, Session>()
  /** Answers of 201 by order, and the orders whose status was answered `paid`. */
  readonly #answered = new Map<string, string>()
  readonly #paid = new Set<string>()
  readonly #heard = new Set<string>()
  #toRecheck: string[] = []

  static async open(): Promise<Ledgers> {
    const server = createServer()
    return new Ledgers(server, await listenOn(server, 0, '127.0.0.1'))
  }

  private constructor(server: Server, port: number) {
    this.#server = server
    this.url = `http://127.0.0.1:${port}`
    server.on('request', async (req, res) => {
      const body = await this.#answer(req)
      res.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    })
  }

  async #answer(req: IncomingMessage): Promise<object> {
    const [, what, name = ''] = req.url!.split(/[/?]/)
    if (what === 'webhook') {
      this.#heard.add(String(((await json(req)) as { order_id: number }).order_id))
      return {}
    }
    if (req.method === 'GET') {
      const { paid, amount } = this.#byReference.get(name)!
      return paid ? { status: 'paid', amount, currency: 'eur' } : { status: 'pending' }
    }
    const asked = (await json(req)) as Pick<Session, 'key' | 'amount' | 'orderId' | 'pushUrl'>
    const known = this.#byKey.get(asked.key)
    if (known) return known
    const reference = `tr_${this.#byReference.size + 1}`
    const session: Session = { ...asked, reference, paid: false, movements: [] }
    this.#byKey.set(asked.key, session)
    this.#byReference.set(reference, session)
    return session
  }

  /** One customer: starts, pays, comes back. Without an answer nothing was promised. */
  async payOrder(endpoint: string, id: string, random: Random): Promise<void> {
    this.#toRecheck.push(id)
    try {
      const url = await this.#start(endpoint, id)
      this.#answered.set(id, url)
      const session = this.#byReference.get(url.split('/').at(-1)!)!
      if (random.chance(0.7)) session.paid = true
      if ((await this.#status(endpoint, id)) === 'paid') this.#paid.add(id)
      if (!session.paid) return
      const statuses = random.pick([[], ['refunded'], ['charged_back'], ['refunded', 'refunded']] as const)
      for (const [place, status] of statuses.entries()) {
        const event = `${session.reference}-${place + 1}`
        session.movements.push({ status, amount: '5.00', event, isTaken: false })
      }
      // Each twice: a payment service repeats itself.
      for (let times = 0; times < 2; times++) await this.#push(endpoint, session)
    } catch {
      // Killed in between.
    }
  }

  /** Pushes the movements of a session. What is not answered is pushed again after the kill. */
  async #push(endpoint: string, { reference, pushUrl, movements }: Session): Promise<void> {
    for (const movement of movements) {
      const { status, amount, event } = movement
      const body = JSON.stringify({ reference, report: { status, amount, event, currency: 'eur' } })
      // The process that runs now has another port than the one that the service knows.
      const url = `${new URL(endpoint).origin}${new URL(pushUrl).pathname}`
      if ((await fetch(url, { method: 'POST', body })).status === 204) movement.isTaken = true
    }
  }

  async #start(endpoint: string, id: string): Promise<string> {
    const body = { ...payment({ id: Number(id) }), webhook_url: `${this.url}/webhook?order=${id}` }
    const answer = await postJson(`${endpoint}/payment`, body)
    if (answer.status !== 201) throw new Error(`answered ${answer.status}`)
    return ((await answer.json()) as { payment_url: string }).payment_url
  }

  async #status(endpoint: string, id: string): Promise<string | undefined> {
    const answer = await fetch(`${endpoint}/payment/${id}`)
    return answer.ok ? ((await answer.json()) as { status: string }).status : undefined
  }

  /** The platform's repeats after a kill: the same answers, and no status that the ledger does not bear out. */
  async recheck(endpoint: string, report: KillsReport): Promise<void> {
    const orders = this.#toRecheck
    this.#toRecheck = []
    const asked = await Promise.allSettled(
      orders.map(async (id) => {
        const before = this.#answered.get(id)
        const wasPaid = this.#paid.has(id)
        const stored = before === undefined ? undefined : await this.#status(endpoint, id)
        const session = this.#byReference.get(before?.split('/').at(-1) ?? '')
        if (stored === undefined && before !== undefined) report.lost++
        if (wasPaid && stored !== 'paid') report.lost++
        if (stored === 'paid' && !session?.paid) report.invented++
        const url = await this.#start(endpoint, id)
        if (before !== undefined && stored !== 'paid' && url !== before) report.lost++
        if (before === undefined) this.#answered.set(id, url)
        if (session?.movements.some(({ isTaken }) => !isTaken)) await this.#push(endpoint, session)
      }),
    )
    // Not answered: the process died, and the next one is asked.
    this.#toRecheck.push(...orders.filter((_, place) => asked[place]!.status === 'rejected'))
  }

  /** Whether each order's ledger has its movements once, some time after the last of them was pushed. */
  async countMoney({ child, endpoint }: { child: ChildProcess; endpoint: string }, report: KillsReport) {
    for (const session of this.#byReference.values()) {
      const { orderId, movements } = session
      report.movements += movements.filter(({ isTaken }) => isTaken).length
      if (movements.some(({ isTaken }) => !isTaken)) await this.#push(endpoint, session)
      const expected = (['refunded', 'charged_back'] as const).map(
        (kind) => 5 * movements.filter(({ status }) => status === kind).length,
      )
      const difference = async () => {
        child.send(orderId)
        const [ledger] = (await once(child, 'message')) as [{ refunded?: string; chargedBack?: string }]
        const found = [ledger.refunded, ledger.chargedBack].map((amount) => Number(amount ?? 0))
        return found.map((amount, place) => amount - expected[place]!)
      }
      let differences = await difference()
      for (let waited = 0; differences.some((one) => one < 0) && waited < 300; waited++)
        differences = await delay(100).then(difference)
      report.lost += differences.filter((one) => one < 0).length
      report.invented += differences.filter((one) => one > 0).length
    }
  }

  /** Every paid order that was read must have been delivered to the shop in the end. */
  async rest(report: KillsReport): Promise<void> {
    const missing = () => [...this.#paid].filter((id) => !this.#heard.has(id)).length
    for (let waited = 0; missing() > 0 && waited < 300; waited++) await delay(100)
    report.lost += missing()
  }

  /** No customer here changes an amount or cancels, so an order never needs a second session. */
  doubleSessions(): number {
    const orders = [...this.#byKey.values()].map(({ orderId }) => orderId)
    return orders.length - new Set(orders).size
  }

  [Symbol.dispose](): void {
    this.#server.close().closeAllConnections()
  }
}
