import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import * as examples from '../../src/contract/examples.ts'
import * as contract from '../../src/contract/index.ts'
import { checkoutBody, estimateBody, paymentBody } from '../../src/messages/bodies.ts'
import { checkoutMessage, estimateMessage, paymentMessage } from '../../src/messages/exact.ts'
import { quote as benchedQuote } from '../bench/http/quote.ts'
import * as tested from '../http/messages.ts'
import { methodsBody, paymentStartBody, shipmentEstimateBody } from './messages.ts'

const order = {
  id: 1,
  method: { id: 'card', title: 'Card', data: {} },
  redirectUrl: 'http://a/',
  webhookUrl: 'http://b/',
  sender: { shopId: 1 },
}
const fitting: [string, z.ZodType, Record<string, unknown>][] = [
  ['customer', contract.customer, { ...examples.customerExample, ...examples.payerExample }],
  ['customer of a live platform', contract.customer, examples.livePayer],
  ['address', contract.address, examples.addressExample],
  ['address of a live platform', contract.address, examples.liveAddress],
  ['checkout', contract.shipmentMethodsRequest, examples.checkoutExample],
  ['checkout of a live platform', contract.shipmentMethodsRequest, examples.liveCheckout],
  ['checkout of the checker', contract.shipmentMethodsRequest, checkoutMessage({ shopId: 1 })],
  ['checkout of the sandbox', contract.shipmentMethodsRequest, checkoutBody()],
  ['checkout of the tests', contract.shipmentMethodsRequest, tested.checkout],
  ['checkout of the tests of the contract', contract.shipmentMethodsRequest, methodsBody()],
  ['checkout of the benches', contract.shipmentMethodsRequest, JSON.parse(benchedQuote)],
  ['estimate', contract.shipmentEstimateRequest, examples.estimateExample],
  ['estimate of a live platform', contract.shipmentEstimateRequest, examples.liveEstimate],
  ['estimate of the checker', contract.shipmentEstimateRequest, estimateMessage({ shopId: 1 })],
  ['estimate of the sandbox', contract.shipmentEstimateRequest, estimateBody()],
  ['estimate of the tests', contract.shipmentEstimateRequest, tested.estimate],
  ['estimate of the tests of the contract', contract.shipmentEstimateRequest, shipmentEstimateBody()],
  ['payment', contract.paymentStartRequest, examples.paymentStartExample],
  ['payment of a live platform', contract.paymentStartRequest, examples.livePaymentStart],
  ['payment of the checker', contract.paymentStartRequest, paymentMessage(order)],
  ['payment of the sandbox', contract.paymentStartRequest, paymentBody()],
  ['payment of the tests', contract.paymentStartRequest, tested.payment()],
  ['payment of the tests of the contract', contract.paymentStartRequest, paymentStartBody()],
  ['shipping methods', contract.shipmentMethodsAnswer, examples.shipmentMethodsExample],
  ['payment methods', contract.paymentMethodsAnswer, examples.paymentMethodsExample],
  ['address of a payment', contract.paymentStartAnswer, examples.paymentStartAnswerExample],
  ['status of a payment', contract.paymentStatusAnswer, examples.paymentStatusExample],
  ['webhook', contract.webhookBody, examples.webhookExample],
]

test.each(fitting)(
  'the example of a %s fits its schema, and has no field beside it',
  (_, schema, example) => {
    expect(schema.safeParse(example).error?.issues ?? []).toEqual([])
    const { shape } = schema as z.ZodObject
    expect(Object.keys(example).filter((field) => !(field in shape))).toEqual([])
  },
)

/** Fields of whole messages that nothing else writes out. */
const giveaway = /^( *)(?:rate_estimate|sameaddress|stock_available): *(?:true|false|\d|'|"|`)/

/** The messages in a source that are written out: a giveaway field in an object that is not made from another one. */
function writtenOut(source: string): number[] {
  const lines = source.split('\n')
  return lines.flatMap((line, at) => {
    const indent = giveaway.exec(line)?.[1]?.length
    if (indent === undefined) return []
    const begins = lines.findLastIndex(
      (one, before) => before < at && /\S/.test(one) && one.search(/\S/) < indent,
    )
    const made = lines.slice(begins, at).some((one) => one.startsWith(`${' '.repeat(indent)}...`))
    return made ? [] : [at + 1]
  })
}

describe('no other message is written by hand', () => {
  test('a message is known by its fields, and one that is made from an example is none', () => {
    expect(writtenOut('const body = {\n  rate_estimate: false,\n  shop,\n}')).toEqual([2])
    expect(writtenOut('const body = {\n  ...checkoutExample,\n  rate_estimate: true,\n}')).toEqual([])
    expect(writtenOut('{\n  ...one,\n  customer: {\n    sameaddress: true,\n  },\n}')).toEqual([4])
    expect(writtenOut('z.object({\n  rate_estimate: maybe(wire.flag),\n})')).toEqual([])
  })

  test('in src, tests and benches', () => {
    const root = new URL('../../', import.meta.url).pathname
    const found = ['src', 'test'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((file) => join(folder, file))
        .filter((file) => file.endsWith('.ts') && file !== 'src/contract/examples.ts')
        .flatMap((file) =>
          writtenOut(readFileSync(join(root, file), 'utf8')).map((line) => `${file}:${line}`),
        ),
    )
    expect(found).toEqual([])
  })
})
