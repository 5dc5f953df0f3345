import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkProvider } from '../../src/conformance/index.ts'
import { createProvider, type ErrorCode, memoryStore, Problem, PurveyorError } from '../../src/index.ts'
import {
  createCharges,
  createPlatformClient,
  hmacSha256,
  PlatformError,
  verifyCallback,
} from '../../src/platform/index.ts'
import { flatRate, pickupPoints, tableRates } from '../../src/rates/index.ts'
import { createSandbox, pressOnPage } from '../../src/sandbox/index.ts'
import { sqliteStore } from '../../src/stores/sqlite.ts'
import { checkoutBody } from '../../src/testing/index.ts'
import { preparing } from '../rates/adapters/quote.ts'

const rates = { name: 'door', quote: () => [] }
const made = () => {
  const provider = createProvider({ store: memoryStore(), rates, port: 0 })
  onTestFinished(() => provider.stop())
  return provider
}
const paid = { status: 'paid', amount: '1.00', currency: 'eur' } as const
const client = (key: string) =>
  createPlatformClient({ baseUrl: 'https://api.example', language: 'nl', key, secret: 'x' })

/** What users do wrong, each at another door. */
const doors: [string, ErrorCode, () => unknown][] = [
  ['createProvider, options', 'CONFIGURATION_INVALID', () => createProvider({ rates, rate: 1 } as never)],
  [
    'createProvider, adapters',
    'CONFIGURATION_INVALID',
    () => createProvider({ rates: { name: 'a' } as never }),
  ],
  ['listen', 'CONFIGURATION_INVALID', () => made().listen({ host: '192.0.2.7' })],
  ['shops.show', 'UNKNOWN_SHOP', () => made().shops.show('nobody')],
  ['shops.add', 'SHOP_ID_INVALID', () => made().shops.add('Not One')],
  ['shops.addAll', 'SHOPS_INVALID', () => made().shops.addAll([{ id: 'Not One' }])],
  ['shops.add by nobody', 'AUTHOR_INVALID', () => made().shops.add('one', { by: '' })],
  [
    'shops.saveSettings',
    'SETTINGS_INVALID',
    async () => {
      const { shops } = made()
      await shops.add('one')
      await shops.saveSettings('one', { fallbak: [] } as never)
    },
  ],
  ['shops.log', 'ARGUMENT_INVALID', () => made().shops.log('default', { limit: 0 })],
  ['platform', 'UNKNOWN_SHOP', () => made().platform('nobody')],
  [
    'payments.report',
    'UNKNOWN_PAYMENT',
    async () => {
      const provider = made()
      await provider.listen()
      await provider.payments.report({ orderId: 7 }, paid)
    },
  ],
  ['payments.get', 'ARGUMENT_INVALID', () => made().payments.get(undefined as never)],
  ['rates.explain, options', 'ARGUMENT_INVALID', () => made().rates.explain({}, { shopp: 'one' } as never)],
  ['rates.explain', 'BODY_INVALID', () => made().rates.explain({ quote: 7 })],
  ['metrics', 'METRICS_OFF', () => made().metrics()],
  ['a store', 'STORE_UNAVAILABLE', () => sqliteStore({ file: '/dev/null/no/folder.db' }).open()],
  ['a client', 'ARGUMENT_INVALID', () => client('')],
  ['a client without options', 'ARGUMENT_INVALID', () => createPlatformClient(undefined as never)],
  ['a client, options', 'ARGUMENT_INVALID', () => createPlatformClient({ retries: 4 } as never)],
  ['charges without options', 'ARGUMENT_INVALID', () => createCharges(undefined as never)],
  ['charges, options', 'ARGUMENT_INVALID', () => createCharges({} as never)],
  ['a callback without rules', 'ARGUMENT_INVALID', () => verifyCallback('', undefined as never)],
  ['a callback of no kind', 'ARGUMENT_INVALID', () => verifyCallback('', { verifier: () => true } as never)],
  ['a call of a client', 'ARGUMENT_INVALID', () => client('x').resource('../x')],
  [
    'a callback',
    'CALLBACK_PARAMETER_MISSING',
    () => verifyCallback('', { kind: 'charge', verifier: hmacSha256('x') }),
  ],
  ['a tariff', 'CONFIGURATION_INVALID', () => tableRates({ fil: 'x' } as never)],
  [
    'a tariff file',
    'RATE_TABLE_INVALID',
    () => tableRates({ name: 't', file: '/nowhere.csv', taxRate: 0 }).prepare?.(preparing),
  ],
  ['points', 'CONFIGURATION_INVALID', () => pickupPoints({} as never)],
  ['points without options', 'CONFIGURATION_INVALID', () => pickupPoints(undefined as never)],
  ['a tariff without options', 'CONFIGURATION_INVALID', () => tableRates('tariff.csv' as never)],
  ['a flat rate without options', 'CONFIGURATION_INVALID', () => flatRate(undefined as never)],
  ['a flat rate', 'CONFIGURATION_INVALID', () => flatRate({} as never)],
  ['a check', 'ENDPOINT_UNUSABLE', () => checkProvider('nowhere')],
  ['a sandbox, options', 'ARGUMENT_INVALID', () => createSandbox({ ports: 3_001 } as never)],
  ['a sandbox', 'ARGUMENT_INVALID', () => createSandbox({ endpoint: 'nowhere' })],
  ['a seed of a sandbox', 'ARGUMENT_INVALID', () => createSandbox({ resources: { products: 7 } as never })],
  ['a switch', 'ARGUMENT_INVALID', () => createSandbox().set({ webhok: 'refused' } as never)],
  ['a cart', 'ARGUMENT_INVALID', () => createSandbox().checkout({ lines: 'lettr' as never })],
  ['an order', 'ARGUMENT_INVALID', () => createSandbox().fetchStatus(7)],
  ['a scenario', 'ARGUMENT_INVALID', () => createSandbox().run('payed')],
  ['a clock', 'ARGUMENT_INVALID', () => createSandbox().advance('soon')],
  ['a page', 'PAGE_UNREACHABLE', () => pressOnPage('http://127.0.0.1:9/p', 'paid')],
  ['a message', 'ARGUMENT_INVALID', () => checkoutBody({ weight: -1 })],
]

describe('every error that Purveyor throws at its users is a PurveyorError', () => {
  test.each(doors)('%s: %s', async (_where, code, door) => {
    const error = await Promise.resolve()
      .then(door)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PurveyorError)
    expect(error).toMatchObject({
      code,
      message: expect.stringMatching(/.{10,}/),
      remedy: expect.stringMatching(/^[A-Z].{3,}\.$/),
    })
  })

  test('an error that knows more is one too', () => {
    const problem = new Problem('BODY_INVALID', { faults: [{ path: '$', message: 'is not an object' }] })
    expect(problem).toBeInstanceOf(PurveyorError)
    expect(problem.faults).toEqual([{ path: '$', message: 'is not an object' }])
    const refused = new PlatformError('PLATFORM_FORBIDDEN', 'no', { method: 'GET', path: 'shop.json' })
    expect(refused).toMatchObject({
      place: 'shop.json',
      remedy: 'Ask the merchant to give the key this permission.',
    })
    expect(refused).toBeInstanceOf(PurveyorError)
  })

  test.each([
    ['NOPE', /^new PurveyorError\(\): there is no code NOPE\. `purveyor explain` lists all codes\.$/],
    ['ARGUMENT_INVALD', /: there is no code ARGUMENT_INVALD: those of ARGUMENT are ARGUMENT_INVALID\./],
    ['toString', /: there is no code toString\. /],
    [undefined, /: the code must be text such as ARGUMENT_INVALID\. /],
    [{ code: 'X' }, /: the code must be text such as ARGUMENT_INVALID\. /],
  ])('the code %j is refused by name, with a message and without one', (code, says) => {
    const refused = expect.objectContaining({
      code: 'ARGUMENT_INVALID',
      message: expect.stringMatching(says),
      remedy: expect.stringMatching(/\.$/),
    })
    expect(() => new PurveyorError(code as never)).toThrow(refused)
    expect(() => new PurveyorError(code as never, 'what happened')).toThrow(refused)
  })

  test.each(['NOPE', 'toString', 'ARGUMENT_INVALID', undefined])(
    'the code %j of a platform is refused too',
    (code) => {
      expect(() => new PlatformError(code as never, 'no', { method: 'GET', path: 'shop.json' })).toThrow(
        /^new PlatformError\(\): the code must be one of PLATFORM_\w+, PLATFORM_/,
      )
    },
  )

  test('a switch over the code is exhausted by the union', () => {
    const isOne = (code: ErrorCode): boolean => {
      switch (code) {
        case 'UNKNOWN_SHOP':
          return true
        default: {
          // @ts-expect-error there are more codes
          const none: never = code
          return none === undefined
        }
      }
    }
    expect(isOne('UNKNOWN_SHOP')).toBe(true)
    // @ts-expect-error this is no code
    expect(isOne('NO_SUCH_CODE')).toBe(false)
  })

  test('no class of errors with a code stands beside it', () => {
    const src = new URL('../../src/', import.meta.url).pathname
    const beside = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [
        ...readFileSync(join(src, file), 'utf8').matchAll(
          /class (\w+) extends (?:Type|Range)?Error \{[^}]*\bcode(?: = '[A-Z]|: \w*Code\b)/g,
        ),
      ])
      .map(([, name]) => name)
    expect(beside.filter((name) => name !== 'PurveyorError')).toEqual([])
  })
})
