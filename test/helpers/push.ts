import type { Workings } from '../../src/parts.ts'
import { takePush } from '../../src/payments/pushes/take-push.ts'

interface To {
  shop?: string | undefined
  adapter?: string
  headers?: Record<string, string>
}

/** Takes a push with this body, as its address does: of the first payment adapter, unless `adapter` names another one. */
export const push = (
  workings: Workings,
  body: string,
  { shop = 'default', adapter = workings.payments.adapters[0]!.name, headers = {} }: To = {},
): Promise<unknown> =>
  takePush(workings, shop, workings.payments.adapters.find(({ name }) => name === adapter)!, {
    body: Buffer.from(body),
    headers,
    query: '',
  })
