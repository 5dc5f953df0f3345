import { describe, expect, test } from 'vitest'
import { shopChecks } from '../../src/cli/doctor/shop.ts'
import { createProvider, html, memoryStore, none, type ProviderOptions } from '../../src/index.ts'
import { inspect } from '../../src/provider/inspection.ts'
import { combine, remoteRates } from '../../src/rates/index.ts'

const made = (options: Partial<ProviderOptions>) => createProvider({ store: memoryStore(), ...options })
const provider = made({ rates: { name: 'door', quote: () => none('closed') } })

describe('what only our own commands need', () => {
  test('is not among what a provider shows', () => {
    const shown = 'development estimates handles listen metrics payments platform rates router server'
    expect(Object.keys(provider).sort().join(' ')).toBe(`${shown} services shops start stop`)
    expect(Object.keys(provider.rates)).toEqual(['explain', 'openBreakers', 'releaseBreakers'])
  })

  test('is found by a name that all copies of the package share', async () => {
    const inspection = inspect(provider)
    expect(inspection).toBe((provider as never)[Symbol.for('purveyor.workings')])
    expect(inspection.describe().adapters).toMatchObject([{ kind: 'rates', name: 'door' }])
    expect(inspection.brokenRules().map(({ check }) => check)).toContain('lasting store')
    expect(await inspection.secretChange()).toBeUndefined()
  })

  test('is not on a copy of a provider, and the error says what to do', () => {
    expect(() => inspect({ ...provider })).toThrow(/Export that object itself/)
  })
})

test.each([
  [{}, 'warn'],
  [{ idempotency: { ttl: 60_000 } }, 'ok'],
  [{ find: () => undefined }, 'ok'],
] as const)(
  'doctor says what becomes of an uncertain start of an adapter with a page: %o',
  async (how, verdict) => {
    const page = { render: () => html``, submit: () => ({ status: 'pending' }) as const }
    const psp = { name: 'psp', methods: () => [], start: () => ({ page: true }) as const, page }
    const described = inspect(made({ payments: { ...psp, ...how } })).describe()
    expect(await shopChecks['payment starts']!({ described } as never)).toMatchObject({ verdict })
  },
)

test.each([
  [{}, 'warn'],
  [{ privacy: { recipient: 'Courier Ltd' } }, 'ok'],
] as const)('a carrier over the network with %o has the verdict %s on privacy', async (more, verdict) => {
  const url = 'https://api.carrier.example'
  const carrier = remoteRates({ name: 'carrier', url, answer: () => [], ...more })
  for (const rates of [carrier, combine('all', [carrier])]) {
    const described = inspect(made({ rates })).describe()
    expect(await shopChecks.privacy!({ described } as never)).toMatchObject({ verdict })
  }
})
