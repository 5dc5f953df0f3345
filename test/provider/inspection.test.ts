import { describe, expect, test } from 'vitest'
import { createProvider, memoryStore, none } from '../../src/index.ts'
import { inspect } from '../../src/provider/inspection.ts'

const provider = createProvider({
  store: memoryStore(),
  rates: { name: 'door', quote: () => none('closed') },
})

describe('what only our own commands need', () => {
  test('is not among what a provider shows', () => {
    expect(Object.keys(provider).sort()).toEqual([
      'development',
      'listen',
      'metrics',
      'payments',
      'platform',
      'rates',
      'router',
      'server',
      'services',
      'shops',
      'start',
      'stop',
    ])
    expect(Object.keys(provider.rates)).toEqual(['explain', 'openBreakers', 'releaseBreakers'])
  })

  test('is found by a name that all copies of the package share', async () => {
    const inspection = inspect(provider)
    expect(inspection).toBe((provider as never)[Symbol.for('purveyor.workings')])
    expect(inspection.describe().adapters).toMatchObject([{ kind: 'rates', name: 'door' }])
    expect(inspection.productionFaults()).toEqual([])
    expect(await inspection.secretChange()).toBeUndefined()
  })

  test('is not on a copy of a provider, and the error says what to do', () => {
    expect(() => inspect({ ...provider })).toThrow(/Export that object itself/)
  })
})
