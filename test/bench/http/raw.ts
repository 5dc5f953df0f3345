import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveDriver } from './child.ts'
import { methods } from './quote.ts'

const server = createServer((req, res) => {
  const chunks: Buffer[] = []
  req.on('data', (chunk) => chunks.push(chunk))
  req.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString())
    const text = JSON.stringify({ shipment_methods: methods })
    res.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
    res.end(text)
  })
})
server.listen(0, '127.0.0.1', () =>
  serveDriver(`http://127.0.0.1:${(server.address() as AddressInfo).port}/shipment_methods`),
)
