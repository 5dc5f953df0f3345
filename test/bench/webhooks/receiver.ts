import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answers every call at once, but never one under `/hang`. */
const server = createServer((req, res) => {
  req.resume()
  if (!req.url!.startsWith('/hang')) req.on('end', () => res.end())
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send!({ url: `http://127.0.0.1:${port}/webhook` })
})
process.once('disconnect', () => {
  server.closeAllConnections()
  server.close()
})
