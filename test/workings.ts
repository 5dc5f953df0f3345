import type { Rating } from '../src/any-adapter.ts'
import type { Workings } from '../src/parts.ts'
import { Addresses } from '../src/payments/addresses.ts'
import { newWorkings } from '../src/provider/workings.ts'
import { ContentSeal } from '../src/shops/seal.ts'
import { seal } from '../src/stores/seal.ts'

// Its key is derived once: that takes up to 30 ms.
const sealOfTests = seal('a secret of tests')

export const defaultRating: Rating = {
  units: () => ({}),
  fallback: () => [],
  onNothing: 'empty',
  convert: undefined,
}

type Given = Parameters<typeof newWorkings>[0]

/** Workings of tests: `https://provider.example`, in production unless `given` says otherwise. */
export function testWorkings(given: Pick<Given, 'world' | 'store'> & Partial<Given>): Workings {
  const { publicUrl = 'https://provider.example', issued = () => {} } = given
  const workings = newWorkings({
    ...{ publicUrl, issued, seal: sealOfTests, development: false },
    ...{ rates: [], rating: defaultRating, payments: [], deadlines: {}, brand: {}, texts: {} },
    images: {
      fetch: async () => undefined,
      shown: async () => undefined,
      holds: () => false,
      file: async () => undefined,
    },
    retention: 730 * 24 * 3_600_000,
    resourceHandlers: {},
    wake() {},
    ...given,
  })
  workings.addresses = new Addresses(workings, publicUrl, issued)
  workings.addresses.pages.setKey('a key of tests')
  workings.addresses.pushesOf = async (shopId, adapter) => `https://provider.example/n/${adapter}/${shopId}`
  workings.contents = new ContentSeal('a key of tests')
  return workings
}
