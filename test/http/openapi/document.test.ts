import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import * as answers from '../../../src/contract/examples.ts'
import { liveCheckout, liveEstimate, livePaymentStart } from '../../../src/contract/examples.ts'
import * as contract from '../../../src/contract/index.ts'
import { openApiDocument } from '../../../src/http/openapi/document.ts'
import { version } from '../../../src/version.ts'
import { testPayments } from '../../../templates/full/payments.ts'
import { rates } from '../../../templates/full/rates.ts'
import { builtPackage } from '../../built.ts'
import { folderWith } from '../../folder.ts'
import { forRuns } from '../../for-all.ts'
import { repository } from '../../journey/project.ts'
import { listening } from '../../listening.ts'
import { sized } from '../../long.ts'

const run = promisify(execFile)
const bin = join(repository, 'node_modules/.bin')
// biome-ignore lint/suspicious/noExplicitAny: a document of another schema
const document = openApiDocument({ publicUrl: 'https://provider.example.org', version }) as any

const { paymentStartAnswerExample, webhookExample } = answers

const messages: Record<string, [schema: z.ZodType, ...examples: unknown[]]> = {
  ShipmentMethodsRequest: [contract.shipmentMethodsRequest, liveCheckout],
  ShipmentEstimateRequest: [contract.shipmentEstimateRequest, liveEstimate],
  ShipmentMethodsAnswer: [contract.shipmentMethodsAnswer, answers.shipmentMethodsExample],
  PaymentMethodsRequest: [contract.paymentMethodsRequest, liveCheckout],
  PaymentMethodsAnswer: [contract.paymentMethodsAnswer, answers.paymentMethodsExample],
  PaymentStartRequest: [contract.paymentStartRequest, livePaymentStart],
  PaymentStartAnswer: [contract.paymentStartAnswer, paymentStartAnswerExample, {}, { payment_url: null }],
  PaymentStatusAnswer: [contract.paymentStatusAnswer, answers.paymentStatusExample],
  WebhookBody: [contract.webhookBody, webhookExample, { order_id: 'A-7' }],
}

const ajv = new Ajv2020({ strict: false })
formats.default(ajv)
ajv.addSchema({ $id: 'document', ...document })
const judge = (name: string) => ajv.compile({ $ref: `document#/components/schemas/${name}` })

const others = [null, '', 'a b', false, true, [], {}, [{}], { a: 1 }]
const numbers = [0, 1, 2, -1, 0.5, 6.05, -6.05, 1e20, 2 ** 60]
const texts = `6.05 6.0500 6.05000 -1 1e3 abc nl NL nld eur EUR 2026-03-02T10:15:00+01:00 2026-03-02 paid PAID
  https://a.example/x?y=1 http://a.example ftp://a.example male private pin PIN`

/** Values that stand in for one field: of the right kind, nearly so, and not at all. */
const values = fc.oneof(
  fc.constantFrom<unknown>(...others, ...numbers, ...texts.split(/\s+/)),
  fc.string(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

/** A message with up to three of its fields replaced, removed or added. */
const changed = (example: unknown) =>
  fc
    .array(fc.tuple(fc.nat(), fc.option(values, { nil: undefined }), fc.boolean()), { maxLength: 3 })
    .map((changes) => {
      const message = structuredClone(example)
      for (const [at, value, adds] of changes) {
        const places: [object, string][] = []
        const walk = (node: unknown): void => {
          if (typeof node !== 'object' || node === null) return
          for (const key of Object.keys(node)) {
            places.push([node, key])
            walk((node as Record<string, unknown>)[key])
          }
        }
        walk(message)
        const [node, key] = places[at % Math.max(1, places.length)] ?? [message as object, 'added']
        const fields = node as Record<string, unknown>
        if (value === undefined && !Array.isArray(node)) delete fields[key]
        else if (value !== undefined)
          fields[adds && !Array.isArray(node) ? 'added' : key] = structuredClone(value)
      }
      return message
    })

describe('the document and the schemas agree', () => {
  test.each(Object.entries(messages))('about the examples of %s', (name, [schema, ...examples]) => {
    const valid = judge(name)
    for (const example of examples) {
      expect(schema.safeParse(example).error).toBeUndefined()
      expect([valid(example), valid.errors]).toEqual([true, null])
    }
  })

  test('about thousands of other messages', () => {
    const each = Math.ceil(sized(3_000, 10_000) / Object.keys(messages).length)
    for (const [name, [schema, ...examples]] of Object.entries(messages)) {
      const valid = judge(name)
      forRuns(each, fc.constantFrom(...examples).chain(changed), (message) => {
        // As it would come over the wire.
        const text = JSON.stringify(message)
        const isValid = valid(JSON.parse(text))
        const said = `${name} ${text} ${JSON.stringify(valid.errors)}`
        expect(isValid, said).toBe(schema.safeParse(JSON.parse(text)).success)
      })
    }
  })
})

describe('the document', () => {
  test('has an example for every message, and describes the webhook', () => {
    const bodies: { example?: unknown; examples?: object }[] = []
    const walk = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      const { content } = node as { content?: Record<string, object> }
      if (content) bodies.push(...Object.values(content))
      for (const [key, inner] of Object.entries(node)) if (key !== 'schemas') walk(inner)
    }
    walk(document)
    expect(bodies.length).toBeGreaterThan(10)
    for (const { example, examples } of bodies) expect(example ?? examples).toBeDefined()
    expect(document.webhooks.paymentStatusChanged.post.requestBody).toBeDefined()
  })

  test('states the longest length of every text and list that is sent', () => {
    const unbounded: string[] = []
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return
      const { type, $ref, ...schema } = node as Record<string, unknown>
      if (typeof $ref === 'string') walk(document.components.schemas[$ref.split('/').at(-1)!], path)
      const bounds = ['maxLength', 'pattern', 'enum', 'const', 'format']
      if (type === 'string' && !bounds.some((bound) => bound in schema)) unbounded.push(path)
      if (type === 'array' && schema.maxItems === undefined) unbounded.push(path)
      for (const [key, inner] of Object.entries(schema)) walk(inner, `${path}.${key}`)
    }
    for (const name of Object.keys(messages).filter((one) => one.endsWith('Request')))
      walk(document.components.schemas[name], name)
    expect(unbounded.filter((path) => !path.includes('.data.'))).toEqual([])
    const { zipcode } = document.components.schemas.Address.properties
    expect(zipcode.anyOf[0]).toEqual({ type: 'string', maxLength: 32 })
    const { description } = document.components.schemas.QuoteProduct.properties
    expect(description.anyOf[0]).toMatchObject({ maxLength: 2000, description: 'A longer text is cut.' })
    expect(document.paths['/payment/{order_id}'].get.parameters[0].schema.maxLength).toBe(128)
  })

  test('is printed by the command, and lints clean with the recommended rules', async () => {
    const folder = folderWith()
    const main = join(await builtPackage(), 'dist/cli/main.js')
    const { stdout } = await run(join(bin, 'node'), [main, 'openapi'])
    writeFileSync(join(folder, 'openapi.json'), stdout)
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(document)))
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const args = ['lint', '--format', 'json', 'openapi.json']
    const lint = run(join(bin, 'redocly'), args, { cwd: folder, env })
    const { totals } = JSON.parse((await lint).stdout)
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
  })

  test('is served where it is asked for, and nowhere else', async () => {
    for (const openapi of [true, false]) {
      const { url } = await listening({ rates, http: { openapi } })
      const answer = await fetch(`${url}/openapi.json`)
      expect(answer.status).toBe(openapi ? 200 : 404)
      const body = (await answer.json()) as { servers?: { url: string }[] }
      expect(body.servers?.[0]?.url).toBe(openapi ? `${url}/e/{token}` : undefined)
    }
  })
})

test('a client that was generated from it completes a checkout', async () => {
  const { endpoint } = await listening({ rates, payments: testPayments })

  // Inside the repository, so that what it imports is found.
  const folder = folderWith({}, join(repository, 'node_modules/.cache'))
  const [{ generate }, { build }] = await Promise.all([
    import('openapi-typescript-codegen'),
    import('rolldown'),
  ])
  await generate({ input: JSON.parse(JSON.stringify(document)), output: folder, httpClient: 'fetch' })
  // Node strips no types of a package.
  const file = join(folder, 'client.mjs')
  await build({ input: join(folder, 'index.ts'), platform: 'node', logLevel: 'silent', output: { file } })
  const client = await import(file)
  client.OpenAPI.BASE = endpoint

  const { shipment_methods: offered } = await client.ShippingService.shipmentMethods(liveCheckout)
  expect(offered[0]).toMatchObject({ id: 'door', price_incl: 7.01 })
  const { id, title } = (await client.PaymentService.paymentMethods(liveCheckout)).payment_methods[0]
  const payment_method = { id, method: id, title, data: [] }
  // The port is closed, and no name server is asked.
  const nowhere = 'http://127.0.0.1:9/'
  const addresses = { redirect_url: nowhere, webhook_url: nowhere }
  const start = { ...livePaymentStart, ...addresses, payment_method }
  const { payment_url: url } = await client.PaymentService.startPayment(start)
  expect(await client.PaymentService.paymentStatus('1001')).toEqual({ status: 'pending' })
  await fetch(url, { method: 'POST', body: new URLSearchParams({ outcome: 'paid' }) })
  expect(await client.PaymentService.paymentStatus('1001')).toEqual({ status: 'paid' })
  const unknown = { status: 404, body: { code: 'NOT_FOUND' } }
  await expect(client.PaymentService.paymentStatus('9999')).rejects.toMatchObject(unknown)
})
