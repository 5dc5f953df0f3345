// Sends the bytes and headers that it is given, by Express without anything around it.
import { createServer } from 'node:http'
import express from 'express'
import { serveServer } from '../http/child.ts'
import type { SentPage } from './page.ts'

const { path, headers, body } = JSON.parse(process.env.BENCH_PAGE!) as SentPage
const sent = Object.entries(headers) as [string, string][]

const app = express().disable('x-powered-by').disable('etag')
app.get(path, (_req, res) => {
  for (const [name, value] of sent) res.setHeader(name, value)
  res.send(body)
})
await serveServer(createServer(app), path)
