import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import * as examples from '../../src/contract/examples.ts'
import * as contract from '../../src/contract/index.ts'
import { repository } from '../journey/project.ts'
import { guide, guides } from './pages.ts'
import { tablesOf } from './tables.ts'

/** The schema of each table of fields, by page and heading. */
const schemas: Record<string, z.ZodType> = {
  'contract-objects#shop': contract.shop,
  'contract-objects#customer': contract.customer,
  'contract-objects#address': contract.address,
  'contract-objects#quote': contract.quote,
  'contract-objects#line-of-the-cart': contract.quoteProduct,
  'contract-rates#from-the-checkout': contract.shipmentMethodsRequest,
  'contract-rates#from-the-cart': contract.shipmentEstimateRequest,
  'contract-rates#destination-of-an-estimate': contract.estimateAddress,
  'contract-rates#the-answer': contract.shipmentMethodsAnswer,
  'contract-rates#shipping-method': contract.shipmentMethod,
  'contract-payments#the-question-for-payment-methods': contract.paymentMethodsRequest,
  'contract-payments#the-methods': contract.paymentMethodsAnswer,
  'contract-payments#payment-method': contract.paymentMethod,
  'contract-payments#start-a-payment': contract.paymentStartRequest,
  'contract-payments#order': contract.order,
  'contract-payments#chosen-method': contract.chosenPaymentMethod,
  'contract-payments#the-answer-to-a-start': contract.paymentStartAnswer,
  'contract-payments#read-the-status': contract.paymentStatusAnswer,
  'contract-webhook#the-call': contract.webhookBody,
  'contract-registration#register-a-service': contract.newExternalService,
  'contract-registration#external-service': contract.externalService,
  'contract-registration#create-a-charge': contract.newAppSubscription,
  'contract-registration#charge': contract.appSubscription,
  'contract-registration#error-of-the-platform': contract.platformErrorBody,
}

interface JsonSchema {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

/** The fields of a schema, each with whether it always has data. A schema with a name has a table of its own. */
function fieldsOf(schema: z.ZodType): [string, boolean][] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const root = json.$ref ? json.$defs![json.$ref.split('/').at(-1)!]! : json
  const walk = (at: JsonSchema, prefix: string): [string, boolean][] => {
    const own = Object.entries(at.properties ?? {}).flatMap(([name, field]): [string, boolean][] => [
      [prefix + name, at.required?.includes(name) ?? false],
      ...walk(field, `${prefix}${name}.`),
    ])
    const items = at.items ? walk(at.items, prefix.replace(/\.$/, '[].')) : []
    return [...own, ...items, ...(at.anyOf ?? []).flatMap((one) => walk(one, prefix))]
  }
  return walk(root, '')
}

const pages = guides.filter(({ name }) => /^contract/.test(name))

const tables = pages.flatMap(({ name, text }) =>
  tablesOf(text)
    .filter(({ head }) => head[0] === 'field')
    .map(({ under, rows }) => ({
      place: `${name}#${under}`,
      fields: rows.flatMap(([fields = '', value = '']) =>
        fields.split(', ').map((field): [string, boolean] => [field, /(^|, )always$/.test(value)]),
      ),
    })),
)

test('each field of each message is in its table, with whether it always has data, and no other is', () => {
  expect(tables.map(({ place }) => place).toSorted()).toEqual(Object.keys(schemas).toSorted())
  for (const { place, fields } of tables)
    expect(fields.toSorted(), place).toEqual(fieldsOf(schemas[place]!).toSorted())
})

test('every schema of the contract has a table', () => {
  const shown = new Set(Object.values(schemas))
  const missing = Object.entries(contract).filter(
    ([name, value]) => value instanceof z.ZodObject && !/(Reader|Writer)$/.test(name) && !shown.has(value),
  )
  expect(missing.map(([name]) => name)).toEqual([])
})

test('every example is one that the checker, the sandbox and OpenAPI send', () => {
  const known = Object.values(examples).map((one) => JSON.stringify(one))
  const blocks = pages.flatMap(({ path, blocks }) => blocks.map((block) => ({ path, ...block })))
  expect(blocks.length).toBeGreaterThan(8)
  for (const { path, line, code } of blocks)
    expect(known, `${path}:${line}`).toContain(JSON.stringify(JSON.parse(code)))
})

test('each error answer is in the table of the contract, with its status', () => {
  const { rows } = tablesOf(guide('contract').text).find(({ under }) => under === 'errors')!
  const problems = Object.entries(contract.problems)
  const answers = problems.map(([code, { status, title }]) => [String(status), code, title])
  expect(rows.toSorted()).toEqual(answers.toSorted())
})

test('the limits of texts are those of the code', () => {
  const { rows } = tablesOf(guide('contract').text).find(({ under }) => under === 'limits')!
  const source = readFileSync(join(repository, 'src/contract/values.ts'), 'utf8')
  const limits = [...source.matchAll(/most: ([\d_]+), cut: (\w+)/g)].map(
    ([, most, cut]) => `${most!.replace('_', '')} ${cut === 'true' ? 'is cut' : 'is refused'}`,
  )
  const shown = rows.map(([, most = '', longer]) => `${most.replace(',', '')} ${longer}`)
  for (const limit of limits) expect(shown).toContain(limit)
})
