import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Client } from 'undici'

const connections = 16

/** A server in a process of its own, with the connections to it. It ends with the block that holds it. */
export type Served = Awaited<ReturnType<typeof serve>>

/** Starts a program that sends its addresses, and its CPU time when it is asked. */
export async function serve(file: URL, env: Record<string, string> = {}) {
  const child = fork(file, {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    ...(process.env.BENCH_PROFILE && {
      execArgv: ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`],
    }),
  })
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the server ${file.pathname} ended with ${code} before it listened`)
  })
  const [{ urls }] = (await Promise.race([once(child, 'message'), died])) as [{ urls: string[] }]
  died.catch(() => {})
  const { origin } = new URL(urls[0]!)
  const paths = urls.map((url) => new URL(url).pathname)
  const clients = Array.from({ length: connections }, () => new Client(origin))
  return {
    clients,
    urls,
    path: paths[0]!,
    paths,
    async cpu(): Promise<number> {
      child.send('cpu')
      return (await once(child, 'message'))[0].cpu
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.destroy()))
      // It ends by itself, and cleans up, once its reader is gone.
      if (child.connected) child.disconnect()
    },
  }
}

/**
 * The CPU time of each server for one call in each round, in microseconds. All of them run at once and are measured in turns, so that noise of
 * the machine meets them alike.
 */
export async function measureInTurns<Name extends string>(
  servers: Record<Name, Served>,
  rounds: number,
  calls: number,
  call: (client: Client, path: string) => Promise<void>,
): Promise<Record<Name, number[]>> {
  const load = ({ clients, paths }: Served, all: number) => {
    let left = all
    const calling = async (client: Client) => {
      while (left-- > 0) await call(client, paths[left % paths.length]!)
    }
    return Promise.all(clients.map(calling))
  }
  const names = Object.keys(servers) as Name[]
  // Long enough for every server's code to be compiled for good.
  for (const name of names) await load(servers[name], Math.max(calls * 3, 4_000))
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round) % names.length]!
      const before = await servers[name].cpu()
      await load(servers[name], calls)
      results[name].push(((await servers[name].cpu()) - before) / calls)
    }
  return results
}
