// Sends the bytes and headers that it is given, by Express without anything around it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { serveDriver } from '../http/child.ts'
import type { SentPage } from './page.ts'

const { path, headers, body } = JSON.parse(process.env.BENCH_PAGE!) as SentPage
const sent = Object.entries(headers) as [string, string][]

const app = express().disable('x-powered-by').disable('etag')
app.get(path, (_req, res) => {
  for (const [name, value] of sent) res.setHeader(name, value)
  res.send(body)
})
const server = createServer(app).listen(0, '127.0.0.1', () => {
  serveDriver(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)
})
