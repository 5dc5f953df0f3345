import { expect, test } from 'vitest'
import { createProvider, memoryStore, price, z } from '../../src/index.ts'

const fee = price({ excl: '1', taxRate: '0', currency: 'eur' })

test("an adapter's settings have the type of its schema", () => {
  const provider = createProvider({
    store: memoryStore(),
    rates: {
      name: 'courier',
      settings: z.object({ account: z.string() }),
      quote(_request, { settings }) {
        const account: string = settings.account
        // @ts-expect-error no such thing is set
        const nothing: unknown = settings.nothing
        return [{ id: `${nothing}`, title: account, ...fee }]
      },
    },
  })
  expect(provider.services).toEqual(['rates'])
})

test.each([
  [
    'a need that there is not',
    { rates: { name: 'x', quote: () => [], needs: ['nobody'] as never } },
    'needs "nobody", and there is no such field',
  ],
  ['a list of callers with nobody on it', { http: { callers: { from: [] } } }, 'callers.from'],
])('%s is refused at once, also by a provider that never serves', (_what, wrong, words) => {
  const rates = { name: 'courier', quote: () => [] }
  expect(() => createProvider({ store: memoryStore(), rates, ...wrong })).toThrow(words)
})
