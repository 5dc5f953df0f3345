import cluster, { type Worker } from 'node:cluster'
import { Counter, Gauge, type MetricObject, Registry } from '@prometheus-io/client'
import { runningRegistries } from '../observability/metrics.ts'

// Whoever asks for the numbers of a port meets one of its workers, who asks the process that started them all for those of each.

/** How long a worker may take to tell its numbers, in milliseconds: one that stands still keeps nobody. */
const patience = 1_500

type Numbers = MetricObject[]

/** What is sent between a worker and the process that started it. */
interface Message {
  metrics?:
    | { ask: number }
    | { tell: number }
    | { told: number; numbers: Numbers }
    | { answer: number; text: string | undefined }
    | { leave: Numbers }
}

const send = (to: Worker, metrics: Message['metrics']) => to.isConnected() && to.send({ metrics })

/** What the process that started the workers counts itself. */
export interface WorkerCounts {
  /** Another worker takes the place of one: it died, or SIGHUP renewed it. */
  replaced(why: 'died' | 'renewed'): void
}

/** For the process that started the workers: adds up their numbers, and keeps what those that are gone have counted. */
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
      send(worker, { tell: number })
    })
  }

  async function gather(): Promise<string> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const all = await Promise.all(workers.map(ask))
    const told = all.filter((numbers) => numbers !== undefined)
    const together = Registry.aggregate([left, ...told])
    new Gauge({
      registers: [together],
      name: 'purveyor_workers_silent',
      help: 'Workers that did not tell their numbers: they stand still, or have just ended',
    }).set(all.length - told.length)
    const replacements = new Counter({
      registers: [together],
      name: 'purveyor_workers_replaced_total',
      help: 'Workers whose place another one took: they died, or SIGHUP renewed them',
      labelNames: ['why'],
    })
    for (const [why, count] of Object.entries(replaced)) replacements.inc({ why }, count)
    return together.metrics()
  }

  cluster.on('message', (worker, { metrics: said }: Message) => {
    if (!said) return
    if ('told' in said) waiting.get(said.told)?.(said.numbers)
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

let asked = 0
const answers = new Map<number, (text: string | undefined) => void>()

/** For a worker: tells its numbers when it is asked. The returned function leaves behind what it has counted. */
export function joinMetrics(): () => Promise<void> {
  const [registry] = runningRegistries()
  process.on('message', ({ metrics: said }: Message) => {
    if (!said) return
    if ('answer' in said) answers.get(said.answer)?.(said.text)
    if ('tell' in said) {
      const { tell } = said
      // One that is on its way out has no store to look into any more.
      const [running] = runningRegistries()
      const telling = running?.getMetricsAsJSON() ?? Promise.resolve([])
      telling.then((numbers) => tellParent({ told: tell, numbers }), nothing)
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

/** For a worker: the numbers of all of them. */
export function metricsOfWorkers(): Promise<string> {
  const number = ++asked
  return new Promise((resolve, reject) => {
    const over = (text: string | undefined) => {
      clearTimeout(late)
      answers.delete(number)
      if (text === undefined) reject(new Error('the numbers of the workers cannot be told'))
      else resolve(text)
    }
    const late = setTimeout(over, 2 * patience, undefined)
    answers.set(number, over)
    tellParent({ ask: number })
  })
}

/** What goes up and never down: a gauge of a process that is gone says nothing. */
const isCounted = (type: string) => type === 'counter' || type === 'histogram'
const tellParent = (metrics: Message['metrics']) => process.connected && process.send!({ metrics })
const nothing = () => {}
