import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

type WhenOver = (close: () => void) => void

/**
 * Opens a server on a free port of `host`, and closes it with its connections at the end of the test; of tests side by side `atEnd` closes
 * it. `open` are the connections of now.
 */
export async function openServer(server: Server, whenOver: WhenOver = onTestFinished, host = '127.0.0.1') {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
  })
  await once(server.listen(0, host), 'listening')
  whenOver(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}`, open }
}

/** Serves an origin of its own in the same way. Resolves with its address, without a slash at its end. */
export const serveOrigin = async (answer: RequestListener, whenOver?: WhenOver): Promise<string> =>
  (await openServer(createServer(answer), whenOver)).origin
