import { fastify } from 'fastify'
import { pino } from 'pino'
import { nowhere, serveDriver } from './child.ts'
import { methods } from './quote.ts'

const text = { anyOf: [{ type: 'string' }, { type: 'null' }, { const: false }] }
const amount = { anyOf: [{ type: 'number' }, { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' }] }
const maybeAmount = { anyOf: [...amount.anyOf, { type: 'null' }, { const: '' }, { const: false }] }
const flag = { anyOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'null' }, { const: '' }] }
const all = (names: string, schema: object) =>
  Object.fromEntries(names.split(' ').map((name) => [name, schema]))

const address = {
  type: 'object',
  properties: {
    ...all('name company address1 address2 extension zipcode city region country', text),
    number: { anyOf: [...text.anyOf, { type: 'integer' }] },
  },
}
const body = {
  type: 'object',
  required: ['shop', 'quote', 'customer', 'billing_address', 'shipping_address'],
  properties: {
    rate_estimate: flag,
    checkout_id: { type: 'integer' },
    shop: {
      type: 'object',
      required: ['id', 'language', 'currency'],
      properties: { id: { type: 'integer' }, language: { type: 'string' }, currency: { type: 'string' } },
    },
    customer: {
      type: 'object',
      properties: {
        ...all(
          'gender birthdate phone mobile national_id email password firstname middlename lastname',
          text,
        ),
        ...all('type company vatnumber cocnumber', text),
        sameaddress: flag,
      },
    },
    billing_address: address,
    shipping_address: address,
    quote: {
      type: 'object',
      required: ['id', 'price_incl', 'price_excl', 'products'],
      properties: {
        id: { type: 'integer' },
        ...all('price_incl price_excl', amount),
        ...all('weight volume colli', maybeAmount),
        additional_cost: flag,
        vat_shifted: flag,
        totals: {
          type: 'object',
          properties: {
            sub_total: amount,
            grand_total: amount,
            taxes: { type: 'array', items: { type: 'object', properties: { percentage: amount, amount } } },
          },
        },
        ...all('created_at updated_at', { type: 'string' }),
        products: {
          type: 'array',
          items: {
            type: 'object',
            required: ['product_id', 'price_incl', 'price_excl', 'quantity'],
            properties: {
              ...all('product_id variant_id quantity', { type: 'integer' }),
              ...all('title fulltitle variant description article_code ean sku', text),
              ...all('price_incl price_excl', amount),
              ...all('tax_rate size_x size_y size_z weight volume colli', maybeAmount),
              stock_available: flag,
            },
          },
        },
      },
    },
  },
}
const answer = {
  type: 'object',
  required: ['shipment_methods'],
  properties: {
    shipment_methods: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'title', 'price_incl', 'price_excl', 'tax_rate'],
        properties: {
          ...all('id title description', { type: 'string' }),
          ...all('price_incl price_excl tax_rate', { type: 'number' }),
          ...all('is_pickup is_servicepoint is_cash_on_delivery', { type: 'boolean' }),
        },
      },
    },
  },
}

const loggerInstance = pino({ level: 'info' }, pino.destination({ dest: nowhere(), sync: true }))
const app = fastify({ loggerInstance, ajv: { customOptions: { coerceTypes: false } } })
app.post('/shipment_methods', { schema: { body, response: { 201: answer } } }, async (_request, reply) => {
  reply.code(201)
  return { shipment_methods: methods }
})
serveDriver(`${await app.listen({ port: 0, host: '127.0.0.1' })}/shipment_methods`)
