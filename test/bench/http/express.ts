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

const address = z.object({
  name: text,
  company: text,
  address1: text,
  address2: text,
  number: z.union([text, z.int()]),
  extension: text,
  zipcode: text,
  city: text,
  region: text,
  country: text,
})
const request = z.object({
  rate_estimate: flag,
  checkout_id: z.int().optional(),
  shop: z.object({ id: z.int(), language: z.string(), currency: z.string() }),
  customer: z.object({
    gender: text,
    birthdate: text,
    phone: text,
    mobile: text,
    national_id: text,
    email: text,
    firstname: text,
    middlename: text,
    lastname: text,
    type: text,
    company: text,
    vatnumber: text,
    cocnumber: text,
    sameaddress: flag,
  }),
  billing_address: address,
  shipping_address: address,
  quote: z.object({
    id: z.int(),
    price_incl: amount,
    price_excl: amount,
    additional_cost: flag,
    totals: z.object({
      sub_total: amount,
      taxes: z.array(z.object({ percentage: amount, amount })),
      grand_total: amount,
    }),
    vat_shifted: flag,
    weight: maybeAmount,
    volume: maybeAmount,
    colli: maybeAmount,
    created_at: z.string(),
    updated_at: z.string(),
    products: z.array(
      z.object({
        product_id: z.int(),
        variant_id: z.int(),
        title: text,
        fulltitle: text,
        variant: text,
        description: text,
        price_incl: amount,
        price_excl: amount,
        tax_rate: maybeAmount,
        quantity: z.int(),
        article_code: text,
        ean: text,
        sku: text,
        size_x: maybeAmount,
        size_y: maybeAmount,
        size_z: maybeAmount,
        weight: maybeAmount,
        volume: maybeAmount,
        colli: maybeAmount,
        stock_available: flag,
      }),
    ),
  }),
})
const answer = z.object({
  shipment_methods: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      description: z.string(),
      price_incl: z.number().nonnegative(),
      price_excl: z.number().nonnegative(),
      tax_rate: z.number().nonnegative(),
      is_pickup: z.boolean(),
      is_servicepoint: z.boolean(),
      is_cash_on_delivery: z.boolean(),
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
