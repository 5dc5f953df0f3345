import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

// A network to the server, in a process of its own: each answer arrives so many milliseconds later.
const [port = '', delay = '0'] = process.argv.slice(2)

const server = createServer((client) => {
  const upstream = connect(Number(port), '127.0.0.1')
  for (const [one, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    one.setNoDelay()
    one.on('error', () => {})
    one.on('close', () => other.destroy())
  }
  client.on('data', (chunk) => upstream.write(chunk))
  upstream.on('data', (chunk) => setTimeout(() => client.write(chunk), Number(delay)))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
process.send!((server.address() as AddressInfo).port)
process.once('disconnect', () => process.exit())
