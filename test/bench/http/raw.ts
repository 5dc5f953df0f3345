import { createServer } from 'node:http'
import { serveServer } from './child.ts'
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
await serveServer(server, '/shipment_methods')
