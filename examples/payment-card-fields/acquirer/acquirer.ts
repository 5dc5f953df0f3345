import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { acquirerApi } from './api.ts'
import { bankPages } from './bank.ts'
import { Intents } from './intents.ts'

const portOf = (server: Server) => (server.address() as AddressInfo).port

/** Starts the pretend acquirer and its bank, on two origins of this machine. Port 0 is any free one. */
export async function startAcquirer({ port = 0, bankPort = 0 } = {}) {
  // `localhost` and 127.0.0.1 are two sites for a browser, as a bank and a shop are.
  const bank = createServer().listen(bankPort, '127.0.0.1')
  await once(bank, 'listening')
  const bankUrl = `http://localhost:${portOf(bank)}`
  const intents = new Intents(bankUrl)
  bank.on('request', bankPages(intents))
  const server = createServer(acquirerApi(intents)).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    bankUrl,
    intents,
    close() {
      for (const one of [server, bank]) one.close().closeAllConnections()
    },
  }
}
