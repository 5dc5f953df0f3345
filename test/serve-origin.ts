import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Serves an origin of its own on a free port of 127.0.0.1, and closes it with the test; of tests side by side `atEnd` closes it. Resolves
 * with its address, without a slash at its end.
 */
export async function serveOrigin(
  answer: RequestListener,
  whenOver: (close: () => void) => void = onTestFinished,
): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenOver(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
