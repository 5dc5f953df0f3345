import type { Workings } from '../src/parts.ts'
import { PageTokens } from '../src/payments/addresses.ts'
import { newWorkings } from '../src/provider/workings.ts'
import { ContentSeal } from '../src/shops/seal.ts'
import { seal } from '../src/stores/seal.ts'

// Its key is derived once: that takes up to 30 ms.
const sealOfTests = seal('a secret of tests')

/** Workings of tests: `https://provider.example`, in production unless `given` says otherwise. */
export const testWorkings = (given: Omit<Parameters<typeof newWorkings>[0], 'seal'>): Workings => {
  const workings = newWorkings({
    publicUrl: 'https://provider.example',
    seal: sealOfTests,
    pages: new PageTokens('a key of tests'),
    contents: new ContentSeal('a key of tests'),
    ...given,
  })
  workings.addresses.pushesOf = async (shopId, adapter) => `https://provider.example/n/${adapter}/${shopId}`
  return workings
}
