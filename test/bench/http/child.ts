import { once } from 'node:events'
import { openSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'

/** Where a log goes that passes a real file descriptor and nobody keeps. */
export const nowhere = () => pino.destination({ dest: openSync('/dev/null', 'w'), sync: true })

/** Sends the driver the addresses of this server, which it calls in turn, and its CPU time in microseconds whenever it asks. */
export function serveDriver(...urls: string[]): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: user + system })
  })
  process.on('disconnect', () => process.exit())
  process.send?.({ urls })
}

/** The same for a server that does not listen yet. */
export async function serveServer(server: Server, path: string): Promise<void> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  serveDriver(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)
}
