import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import helmet from 'helmet'
import { pino } from 'pino'
import { pinoHttp } from 'pino-http'
import { z } from 'zod'
import { nowhere, serveDriver } from './child.ts'
import { methods } from './quote.ts'

const text = z.union([z.string(), z.null(), z.literal(false)]).optional()
const amount = z.union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/)])
const maybeAmount = z.union([amount, z.null(), z.literal(''), z.literal(false)]).optional()
const flag = z.union([z.boolean(), z.number(), z.null(), z.literal('')]).optional()

const all = <T extends z.ZodType>(names: string, schema: T): Record<string, T> =>
  Object.fromEntries(names.split(' ').map((name) => [name, schema]))

const address = z.object({
  ...all('name company address1 address2 extension zipcode city region country', text),
  number: z.union([text, z.int()]),
})
const request = z.object({
  rate_estimate: flag,
  checkout_id: z.int().optional(),
  shop: z.object({ id: z.int(), language: z.string(), currency: z.string() }),
  customer: z.object({
    ...all('gender birthdate phone mobile national_id email firstname middlename lastname', text),
    ...all('type company vatnumber cocnumber', text),
    sameaddress: flag,
  }),
  billing_address: address,
  shipping_address: address,
  quote: z.object({
    id: z.int(),
    ...all('price_incl price_excl', amount),
    ...all('additional_cost vat_shifted', flag),
    totals: z.object({
      ...all('sub_total grand_total', amount),
      taxes: z.array(z.object({ percentage: amount, amount })),
    }),
    ...all('weight volume colli', maybeAmount),
    ...all('created_at updated_at', z.string()),
    products: z.array(
      z.object({
        ...all('product_id variant_id quantity', z.int()),
        ...all('title fulltitle variant description article_code ean sku', text),
        ...all('price_incl price_excl', amount),
        ...all('tax_rate size_x size_y size_z weight volume colli', maybeAmount),
        stock_available: flag,
      }),
    ),
  }),
})
const answer = z.object({
  shipment_methods: z.array(
    z.object({
      ...all('id title description', z.string()),
      ...all('price_incl price_excl tax_rate', z.number().nonnegative()),
      ...all('is_pickup is_servicepoint is_cash_on_delivery', z.boolean()),
    }),
  ),
})

const app = express()
app.use(helmet())
app.use(pinoHttp({ logger: pino({ level: 'info' }, pino.destination({ dest: nowhere(), sync: true })) }))
app.use(express.json())
app.post('/shipment_methods', (req, res) => {
  const read = request.safeParse(req.body)
  if (!read.success) return void res.status(422).json({ error: 'wrong shape' })
  res.status(201).json(answer.parse({ shipment_methods: methods }))
})
const server = createServer(app).listen(0, '127.0.0.1', () => {
  serveDriver(`http://127.0.0.1:${(server.address() as AddressInfo).port}/shipment_methods`)
})
