import cluster, { type Worker } from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { Counter, Gauge, type MetricObject, Registry } from '@prometheus-io/client'
import { runningRegistries } from '../../observability/metrics.ts'

// A call of /metrics reaches one worker of the port. That worker asks the process that started them all, which asks each of them.

/** How long a worker may take to send its numbers, in milliseconds. The numbers of the others do not wait longer for it. */
const patience = 1_500

type Numbers = MetricObject[]
type Said = { ask: string } | { answer: string; value: unknown } | { leave: Numbers }
type Message = { metrics?: Said }

const send = (to: Worker, metrics: Said) => to.isConnected() && to.send({ metrics })
const sendParent = (metrics: Said) => process.connected && process.send!({ metrics })
const nothing = () => undefined

/** Questions to another process, by their names, and the answers to its own. One that is not answered in time has no answer. */
class Questions<Answer> {
  readonly #answers = new EventEmitter()
  readonly #own: () => Promise<unknown>

  constructor(own: () => Promise<unknown>) {
    this.#own = own
  }

  async ask(patience: number, put: (said: Said) => void): Promise<Answer | undefined> {
    const ask = randomUUID()
    const answered = once(this.#answers, ask, { signal: AbortSignal.timeout(patience) })
    put({ ask })
    const [answer] = await answered.catch(() => [])
    return answer
  }

  async hear(said: Said, reply: (said: Said) => void): Promise<void> {
    if ('answer' in said) this.#answers.emit(said.answer, said.value)
    if ('ask' in said) reply({ answer: said.ask, value: await this.#own().catch(nothing) })
  }
}

/** For the process that started the workers: adds up their numbers, and keeps the counts of workers that are gone. */
export function gatherMetrics(): { replaced(why: 'died' | 'renewed'): void } {
  const replaced = { died: 0, renewed: 0 }
  let left: Numbers = []
  const questions = new Questions<Numbers>(gather)
  const numbersOf = (worker?: Worker) =>
    worker ? [questions.ask(patience, (said) => send(worker, said))] : []

  async function gather(): Promise<string> {
    const all = await Promise.all(Object.values(cluster.workers ?? {}).flatMap(numbersOf))
    const received = all.filter((numbers) => numbers !== undefined)
    const together = Registry.aggregate([left, ...received])
    new Gauge({
      registers: [together],
      name: 'purveyor_workers_silent',
      help: 'Workers that did not send their numbers: they hang, or have just ended',
    }).set(all.length - received.length)
    const replacements = new Counter({
      registers: [together],
      name: 'purveyor_workers_replaced_total',
      help: 'Workers that were replaced: they died, or SIGHUP renewed them',
      labelNames: ['why'],
    })
    for (const [why, count] of Object.entries(replaced)) replacements.inc({ why }, count)
    return together.metrics()
  }

  cluster.on('message', async (worker, { metrics: said }: Message) => {
    if (said && 'leave' in said) {
      const both = Registry.aggregate([left, said.leave])
      left = await both.getMetricsAsJSON().catch(() => left)
    } else if (said) await questions.hear(said, (answer) => send(worker, answer))
  })
  return { replaced: (why) => void replaced[why]++ }
}

/** The numbers of a worker: it sends them when it is asked, and asks for those of all. */
export class WorkerNumbers {
  // A worker that is stopping has closed its store.
  readonly #questions = new Questions<string>(async () => {
    const [running] = runningRegistries()
    return running ? running.getMetricsAsJSON() : []
  })

  /** Answers from now on. The returned function hands over the counts of this process before it ends. */
  join(): () => Promise<void> {
    const [registry] = runningRegistries()
    process.on('message', ({ metrics: said }: Message) => said && void this.#questions.hear(said, sendParent))
    return async () => {
      const numbers = (await registry?.getMetricsAsJSON().catch(nothing)) ?? []
      // Counts only go up, so they outlast their worker. A gauge of a worker that is gone is left out.
      const lasts = ({ type, name }: MetricObject) => /^(counter|histogram) purveyor_/.test(`${type} ${name}`)
      await new Promise((resolve) => process.send?.({ metrics: { leave: numbers.filter(lasts) } }, resolve))
    }
  }

  async ofAll(): Promise<string> {
    const text = await this.#questions.ask(2 * patience, sendParent)
    if (text === undefined) throw new Error('the process that started the workers sent no numbers')
    return text
  }
}
