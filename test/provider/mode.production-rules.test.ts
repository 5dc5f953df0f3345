import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { doctorChecks } from '../../src/cli/doctor/doctor.ts'
import { explanations } from '../../src/cli/explain/explain.ts'
import { createProvider, type ProviderOptions, PurveyorError } from '../../src/index.ts'
import { brokenRules, type ProductionFacts, productionRules } from '../../src/provider/mode.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { lastingStore, production } from '../production-store.ts'
import { trial } from './trial-adapters.ts'

const sound: ProductionFacts = {
  publicUrl: 'https://pay.example.com',
  secret: 'kJ2s-9dXq.41mZ_pw7Rt3uYbV8c0aLfe',
  allowLoopback: false,
  volatile: false,
  adapters: ['courier'],
  leftOut: ['trial'],
}
type Code = keyof typeof productionRules
const breaking: Record<Code, Partial<ProductionFacts>> = {
  PUBLIC_URL_MISSING: { publicUrl: undefined },
  PUBLIC_URL_NOT_HTTPS: { publicUrl: 'http://pay.example.com' },
  PUBLIC_URL_PRIVATE: { publicUrl: 'https://127.0.0.1' },
  SECRET_MISSING: { secret: undefined },
  SECRET_WEAK: { secret: 'development-only-secret-that-protects-nothing' },
  LOOPBACK_ALLOWED: { allowLoopback: true },
  STORE_IN_MEMORY: { volatile: true },
  ADAPTERS_LEFT_OUT: { adapters: [] },
}
const broken = Object.entries(breaking) as [Code, Partial<ProductionFacts>][]

describe('the rules of production', () => {
  test('break no sound configuration', () => {
    expect(brokenRules(sound)).toEqual([])
  })

  test.each([
    ['https://localhost:8443/pay https://[::1] https://10.1.2.3 https://192.168.1.1', ['PUBLIC_URL_PRIVATE']],
    ['https://93.184.215.14 https://pay.localhost.example', []],
  ] as [string, Code[]][])('%s: shops reach an address, or break %j', (addresses, codes) => {
    for (const publicUrl of addresses.split(' '))
      expect(brokenRules({ ...sound, publicUrl }), publicUrl).toEqual(
        codes.map((code) => productionRules[code]),
      )
  })

  test.each(broken)('%s is broken by itself, and has a page', (code, change) => {
    expect(brokenRules({ ...sound, ...change })).toEqual([productionRules[code]])
    const page = explanations().find((one) => one.code === code)
    expect(page?.remedy.toLowerCase()).toBe(`${productionRules[code].remedy}.`.toLowerCase())
  })

  test.each(['x'.repeat(40), 'kJ2s-9dXq.41mZ_pw7Rt3uYbV8c0aLf', ''])('the secret %j is weak', (secret) => {
    expect(brokenRules({ ...sound, secret })).toEqual([productionRules.SECRET_WEAK])
  })

  test.each(broken)('doctor shows %s', async (code, change) => {
    const { check, place, text, remedy } = productionRules[code]
    const look = (await doctorChecks())[check]!
    const at = (facts: ProductionFacts, inProduction: boolean) =>
      look({ inspection: { brokenRules: () => brokenRules(facts) }, production: inProduction } as never)
    const says = `${place} ${text}`
    expect(await at({ ...sound, ...change }, true)).toEqual({ verdict: 'fail', says, remedy })
    expect(await at({ ...sound, ...change }, false)).toMatchObject({ verdict: 'warn' })
    expect(await at(sound, true)).toMatchObject({ verdict: 'ok' })
  })
})

const silent = pino({ level: 'silent' })
const rates = { name: 'courier', quote: () => [] }
const make = (options: Partial<ProviderOptions>) =>
  createProvider({ logger: silent, rates, store: lastingStore(), port: 0, ...production, ...options })

const inMemory = { publicUrl: undefined as never, store: memoryStore() }
const places = ['publicUrl (PURVEYOR_PUBLIC_URL)', 'store (PURVEYOR_DATABASE_URL)']

describe('a start in production', () => {
  test.each<[string, Partial<ProviderOptions>, string[]]>([
    ['without an address', { publicUrl: undefined as never }, places.slice(0, 1)],
    ['with a store in memory', { store: memoryStore() }, places.slice(1)],
    ['with all of it', { ...inMemory, rates: [], payments: trial }, [...places, 'rates and payments']],
  ])('%s is refused, mounted too, and names every fault', async (_what, options, expected) => {
    const provider = make(options)
    for (const start of [provider.start, provider.listen]) {
      const error = await start().catch((thrown: unknown) => thrown)
      expect((error as PurveyorError).faults.map(({ path }) => path)).toEqual(expected)
      expect((error as Error).message).toContain('This is production, because development is false.')
    }
    await provider.stop()
  })

  test('is what a sound configuration gets', async () => {
    const provider = make({})
    await expect(provider.start()).resolves.toBeDefined()
    await provider.stop()
  })
})

test('everything that is wrong is one error with a line each: options, adapters, callers, environment, rules of production', () => {
  const mistyped = { name: 'a', qoute: 1, needs: ['customer.mail'] }
  const wrong = {
    ...{ rate: rates, development: false, port: -1, network: { allowLoopback: true }, store: memoryStore() },
    rates: {
      adapters: [mistyped, { name: 'A b' }, { name: 'a', quote: () => [] }],
      units: { weight: 'stone', size: 'l' },
      fallback: [{ title: 'x' }],
    },
    payments: { name: 'psp', methods: 1, start: 1, push: { read: 1 }, network: { allow: ['*', 7] } },
    http: { limits: { burst: 0 }, callers: { from: ['here'], bearer: { secret: 'short' } } },
  }
  let error: unknown
  try {
    createProvider(wrong as never)
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(PurveyorError)
  const lines = (error as Error).message.split('\n')
  for (const part of [
    'rate is not an option: did you mean rates?',
    'http.limits.burst must be a number above 0',
    'http.callers.from: here is not an address',
    'http.callers.bearer.secret needs at least 32 characters',
    'adapter "a" has no member qoute: did you mean quote?',
    'needs.0 of "a" is "customer.mail"',
    'an adapter has a name of letters',
    'two adapters are named "a": give each a name of its own',
    'methods of "psp" must be a function',
    'start of "psp" must be a function',
    'push.read of "psp" must be a function',
    'network of "psp" allow: "*"',
    'network of "psp" allow: 7 is not text',
    'rates.fallback[0].price_incl is missing',
    'rates.units.weight must be one of',
    'rates.units has weight, volume, length, products, and no size',
    'port (PORT) must be 0 or more',
    'publicUrl (PURVEYOR_PUBLIC_URL) is required in production',
    'secret (PURVEYOR_SECRET) is required in production',
    'network.allowLoopback (PURVEYOR_ALLOW_LOOPBACK) lets everybody',
    'store (PURVEYOR_DATABASE_URL) is in memory',
  ])
    expect(lines.filter((line) => line.startsWith('  - ') && line.includes(part)).length, part).toBe(1)
  expect((error as PurveyorError).faults).toHaveLength(lines.length - 2)
})
