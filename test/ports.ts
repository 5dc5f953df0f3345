import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Systems give their clients and servers ports above these. */
const lowest = 10_000
const afterHighest = 32_000

/** A port that is free, and that no system gives to another process by itself before the caller takes it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, afterHighest)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

/** Resolves once no new connection is taken at an address. */
export async function closed(url: string): Promise<void> {
  for (;;) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const taken = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (!taken) return
  }
}
