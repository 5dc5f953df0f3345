import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/**
 * Processes of a script that answer each message with one of their own, until the end of the block. Each says that it is ready first. One that
 * dies rejects every question.
 */
export async function startWorkers(script: URL, args: readonly string[][]) {
  const children: ChildProcess[] = []
  const ends = new DisposableStack()
  for (const own of args) {
    const child = fork(script, own, { execArgv: [] })
    ends.defer(() => void (child.connected && child.disconnect()))
    await once(child, 'message')
    children.push(child)
  }
  const dead = Promise.race(children.map((child) => once(child, 'exit'))).then(() => {
    throw new Error(`a process of ${script.pathname} has died`)
  })
  dead.catch(() => {})
  return {
    /** Resolves with the answers of all of them. */
    async askAll<Answer>(questionOf: (worker: number) => object): Promise<Answer[]> {
      const answers = children.map((child) => Promise.race([once(child, 'message'), dead]))
      for (const [worker, child] of children.entries()) child.send(questionOf(worker))
      return (await Promise.all(answers)).map(([answer]) => answer as Answer)
    },
    [Symbol.dispose]: () => ends.dispose(),
  }
}
