import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Client } from 'undici'

const connections = 16

/** A server in a process of its own, with the connections to it. */
export interface Served {
  child: ChildProcess
  clients: Client[]
  path: string
}

/** Starts a program that sends its address, and its CPU time when it is asked. */
export async function serve(file: URL, env: Record<string, string> = {}): Promise<Served> {
  const child = fork(file, {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    ...(process.env.BENCH_PROFILE && {
      execArgv: ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`],
    }),
  })
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the server ${file.pathname} ended with ${code} before it listened`)
  })
  const [{ url }] = (await Promise.race([once(child, 'message'), died])) as [{ url: string }]
  died.catch(() => {})
  const { origin, pathname } = new URL(url)
  return { child, path: pathname, clients: Array.from({ length: connections }, () => new Client(origin)) }
}

export async function cpu({ child }: Served): Promise<number> {
  child.send('cpu')
  const [{ cpu: used }] = (await once(child, 'message')) as [{ cpu: number }]
  return used
}

export async function endAll(servers: Iterable<Served>): Promise<void> {
  for (const { child, clients } of servers) {
    await Promise.all(clients.map((client) => client.destroy()))
    // It ends by itself, and cleans up, once its reader is gone.
    if (child.connected) child.disconnect()
  }
}
