import { fastify } from 'fastify'
import { pino } from 'pino'
import { z } from 'zod'
import { nowhere, serveDriver } from './child.ts'
import { methods } from './quote.ts'
import { answer, request } from './schema.ts'

const [body, sent] = [request, answer].map((schema) =>
  z.toJSONSchema(schema, { target: 'draft-7', io: 'input' }),
)
const loggerInstance = pino({ level: 'info' }, nowhere())
const app = fastify({ loggerInstance, ajv: { customOptions: { coerceTypes: false } } })
app.post('/shipment_methods', { schema: { body, response: { 201: sent } } }, async (_request, reply) => {
  reply.code(201)
  return { shipment_methods: methods }
})
serveDriver(`${await app.listen({ port: 0, host: '127.0.0.1' })}/shipment_methods`)
