import { createServer } from 'node:http'
import express from 'express'
import helmet from 'helmet'
import { pino } from 'pino'
import { pinoHttp } from 'pino-http'
import { nowhere, serveServer } from './child.ts'
import { methods } from './quote.ts'
import { answer, request } from './schema.ts'

const app = express()
app.use(helmet())
app.use(pinoHttp({ logger: pino({ level: 'info' }, nowhere()) }))
app.use(express.json())
app.post('/shipment_methods', (req, res) => {
  const read = request.safeParse(req.body)
  if (!read.success) return void res.status(422).json({ error: 'wrong shape' })
  res.status(201).json(answer.parse({ shipment_methods: methods }))
})
await serveServer(createServer(app), '/shipment_methods')
