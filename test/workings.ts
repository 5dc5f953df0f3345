import { ContentSeal, PageTokens } from '../src/payments/page-tokens.ts'
import type { StorePort } from '../src/store-port.ts'
import { seal } from '../src/stores/seal.ts'
import { newWorkings, type Workings } from '../src/use-cases/workings.ts'
import type { World } from '../src/world.ts'

// Its key is derived once: that takes up to 30 ms.
const sealOfTests = seal('a secret of tests')

/** Workings of tests: `https://provider.example`, in production unless `given` says otherwise. */
export const testWorkings = (
  given: { world: World; store: StorePort } & Partial<Omit<Workings, 'memory'>>,
): Workings =>
  newWorkings({
    publicUrl: 'https://provider.example',
    seal: sealOfTests,
    pages: new PageTokens('a key of tests'),
    contents: new ContentSeal('a key of tests'),
    pushUrl: async (shopId, adapter) => `https://provider.example/n/${adapter}/${shopId}`,
    ...given,
  })
