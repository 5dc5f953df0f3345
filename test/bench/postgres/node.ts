import { Pool } from 'pg'
import { times } from '../../together.ts'
import { statements, valuesOf } from '../payments/rows.ts'
import { starter } from '../payments/starter.ts'

/** Starts payments as fast as so many callers can, or so many a second, each without waiting for the one before. */
export type NodeTask = { starts: number; callers: number } | { perSecond: number; seconds: number }

// One node, a process of its own: starts payments whenever it is asked to, and answers how long each took where they come at a pace.
const [kind, databaseUrl = '', first = '0'] = process.argv.slice(2)
const { start, close } = await (kind === 'raw' ? rawStarter : starter)(databaseUrl, Number(first))

async function paced(perSecond: number, seconds: number): Promise<number[]> {
  const took: Promise<number>[] = []
  const began = performance.now()
  for (let number = 0; number < perSecond * seconds; number++) {
    const due = began + (number * 1_000) / perSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    const since = performance.now()
    // One that fails counts as the slowest: a process that stood still has lost its connections.
    const failed = () => Number.MAX_SAFE_INTEGER
    took.push(start(1, 1).then(() => performance.now() - since, failed))
  }
  return Promise.all(took)
}

process.on('message', async (task: NodeTask) => {
  if ('perSecond' in task) process.send!(await paced(task.perSecond, task.seconds))
  else {
    await start(task.starts, task.callers)
    process.send!('done')
  }
})
process.once('disconnect', () => void close())
process.send!('ready')

/** The rows of a payment start by the bare driver, every statement prepared and a commit of its own. */
async function rawStarter(databaseUrl: string, first: number) {
  const pool = new Pool({ connectionString: databaseUrl, max: 10 })
  let order = first
  async function write(): Promise<void> {
    const values = valuesOf(++order)
    for (const name of ['payment', 'attempt', 'change', 'start'] as const)
      await pool.query({ name, text: statements[name] }, values[name])
  }
  return {
    start: (starts: number, callers: number) => times(starts, callers, write),
    close: () => pool.end(),
  }
}
