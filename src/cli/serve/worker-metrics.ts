import cluster, { type Worker } from 'node:cluster'
import { Counter, Gauge, type MetricObject, Registry } from '@prometheus-io/client'
import { runningRegistries } from '../../observability/metrics.ts'

// A call of /metrics reaches one worker of the port. That worker asks the process that started them all, which asks each of them.

/** How long a worker may take to send its numbers, in milliseconds. The numbers of the others do not wait longer for it. */
const patience = 1_500

type Numbers = MetricObject[]

interface Message {
  metrics?:
    | { ask: number }
    | { wanted: number }
    | { sent: number; numbers: Numbers }
    | { answer: number; text: string | undefined }
    | { leave: Numbers }
}

const send = (to: Worker, metrics: Message['metrics']) => to.isConnected() && to.send({ metrics })
const sendParent = (metrics: Message['metrics']) => process.connected && process.send!({ metrics })
const nothing = () => undefined

/** Questions to another process, by number; one that is not answered in time has no answer. */
class Questions<Answer> {
  #asked = 0
  readonly #waiting = new Map<number, (answer?: Answer) => void>()

  ask(patience: number, put: (number: number) => void): Promise<Answer | undefined> {
    const number = ++this.#asked
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
    const late = setTimeout(resolve, patience, undefined)
    this.#waiting.set(number, resolve)
    put(number)
    return promise.finally(() => {
      clearTimeout(late)
      this.#waiting.delete(number)
    })
  }

  answer(number: number, answer: Answer | undefined): void {
    this.#waiting.get(number)?.(answer)
  }
}

/** For the process that started the workers: adds up their numbers, and keeps the counts of workers that are gone. */
export function gatherMetrics(): { replaced(why: 'died' | 'renewed'): void } {
  const replaced = { died: 0, renewed: 0 }
  let left: Numbers = []
  const questions = new Questions<Numbers>()
  const numbersOf = (worker?: Worker) =>
    worker ? [questions.ask(patience, (wanted) => send(worker, { wanted }))] : []

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
    if (!said) return
    if ('sent' in said) questions.answer(said.sent, said.numbers)
    else if ('leave' in said) {
      const both = Registry.aggregate([left, said.leave])
      left = await both.getMetricsAsJSON().catch(() => left)
    } else if ('ask' in said) send(worker, { answer: said.ask, text: await gather().catch(nothing) })
  })
  return { replaced: (why) => void replaced[why]++ }
}

/** The numbers of a worker: it sends them when it is asked, and asks for those of all. */
export class WorkerNumbers {
  readonly #questions = new Questions<string>()

  /** Answers from now on. The returned function hands over the counts of this process before it ends. */
  join(): () => Promise<void> {
    const [registry] = runningRegistries()
    process.on('message', async ({ metrics: said }: Message) => {
      if (!said) return
      if ('answer' in said) this.#questions.answer(said.answer, said.text)
      if (!('wanted' in said)) return
      // A worker that is stopping has closed its store.
      const [running] = runningRegistries()
      const numbers = running ? await running.getMetricsAsJSON().catch(nothing) : []
      if (numbers) sendParent({ sent: said.wanted, numbers })
    })
    return async () => {
      const numbers = (await registry?.getMetricsAsJSON().catch(nothing)) ?? []
      // Counts only go up, so they outlast their worker. A gauge of a worker that is gone is left out.
      const lasts = ({ type, name }: MetricObject) => /^(counter|histogram) purveyor_/.test(`${type} ${name}`)
      await new Promise((resolve) => process.send?.({ metrics: { leave: numbers.filter(lasts) } }, resolve))
    }
  }

  async ofAll(): Promise<string> {
    const text = await this.#questions.ask(2 * patience, (ask) => sendParent({ ask }))
    if (text === undefined) throw new Error('the process that started the workers sent no numbers')
    return text
  }
}
