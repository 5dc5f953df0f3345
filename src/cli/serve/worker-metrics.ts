import cluster, { type Worker } from 'node:cluster'
import { Counter, Gauge, type MetricObject, Registry } from '@prometheus-io/client'
import { runningRegistries } from '../../observability/metrics.ts'

// A call of /metrics reaches one worker of the port. That worker asks the process that started them all, which asks each of them.

/** How long a worker may take to send its numbers, in milliseconds. The numbers of the others do not wait longer for it. */
const patience = 1_500

type Numbers = MetricObject[]

/** A message between a worker and the process that started it. */
interface Message {
  metrics?:
    | { ask: number }
    | { wanted: number }
    | { sent: number; numbers: Numbers }
    | { answer: number; text: string | undefined }
    | { leave: Numbers }
}

const send = (to: Worker, metrics: Message['metrics']) => to.isConnected() && to.send({ metrics })

/** Counts kept by the process that started the workers. */
export interface WorkerCounts {
  /** A worker was replaced: it died, or SIGHUP renewed it. */
  replaced(why: 'died' | 'renewed'): void
}

/** For the process that started the workers: adds up their numbers, and keeps the counts of workers that are gone. */
export function gatherMetrics(): WorkerCounts {
  const replaced = { died: 0, renewed: 0 }
  let left: Numbers = []
  let asked = 0
  const waiting = new Map<number, (numbers: Numbers) => void>()

  function ask(worker: Worker): Promise<Numbers | undefined> {
    const number = ++asked
    return new Promise((resolve) => {
      const over = (numbers?: Numbers) => {
        clearTimeout(late)
        waiting.delete(number)
        resolve(numbers)
      }
      const late = setTimeout(over, patience)
      waiting.set(number, over)
      send(worker, { wanted: number })
    })
  }

  async function gather(): Promise<string> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const all = await Promise.all(workers.map(ask))
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

  cluster.on('message', (worker, { metrics: said }: Message) => {
    if (!said) return
    if ('sent' in said) waiting.get(said.sent)?.(said.numbers)
    else if ('leave' in said) {
      Registry.aggregate([left, said.leave])
        .getMetricsAsJSON()
        .then((numbers) => {
          left = numbers
        }, nothing)
    } else if ('ask' in said) {
      gather().then(
        (text) => send(worker, { answer: said.ask, text }),
        () => send(worker, { answer: said.ask, text: undefined }),
      )
    }
  })
  return { replaced: (why) => void replaced[why]++ }
}

/** The numbers of a worker: it sends them when it is asked, and asks for those of all. */
export class WorkerNumbers {
  #asked = 0
  readonly #answers = new Map<number, (text: string | undefined) => void>()

  /** Answers from now on. The returned function hands over the counts of this process before it ends. */
  join(): () => Promise<void> {
    const [registry] = runningRegistries()
    process.on('message', ({ metrics: said }: Message) => {
      if (!said) return
      if ('answer' in said) this.#answers.get(said.answer)?.(said.text)
      if ('wanted' in said) {
        const { wanted } = said
        // A worker that is stopping has closed its store.
        const [running] = runningRegistries()
        const reading = running?.getMetricsAsJSON() ?? Promise.resolve([])
        reading.then((numbers) => sendParent({ sent: wanted, numbers }), nothing)
      }
    })
    return async () => {
      const numbers = (await registry?.getMetricsAsJSON().catch(nothing)) ?? []
      const counted = numbers.filter(
        ({ type, name }) => isCounted(String(type)) && name.startsWith('purveyor_'),
      )
      await new Promise((resolve) => process.send?.({ metrics: { leave: counted } }, resolve))
    }
  }

  /** The numbers of all workers. */
  ofAll(): Promise<string> {
    const number = ++this.#asked
    return new Promise((resolve, reject) => {
      const over = (text: string | undefined) => {
        clearTimeout(late)
        this.#answers.delete(number)
        if (text === undefined) reject(new Error('the process that started the workers sent no numbers'))
        else resolve(text)
      }
      const late = setTimeout(over, 2 * patience, undefined)
      this.#answers.set(number, over)
      sendParent({ ask: number })
    })
  }
}

/** Counts only go up, so they outlast their worker. A gauge of a worker that is gone is left out. */
const isCounted = (type: string) => type === 'counter' || type === 'histogram'
const sendParent = (metrics: Message['metrics']) => process.connected && process.send!({ metrics })
const nothing = () => {}
