import { Problem } from '../../contract/index.ts'
import type { PaymentPush } from '../../payments/adapter.ts'
import { hashToken } from '../../shops/tokens.ts'
import { blaming, callAdapter } from '../call-adapter.ts'
import { Deadline } from '../deadline.ts'
import type { AnyPaymentAdapter, Workings } from '../workings.ts'
import { sealContent } from './push-content.ts'
import { pushContext } from './push-context.ts'

/**
 * Receives a push: it is verified, and on disk when this resolves. It is processed afterwards, so that the payment service never waits for
 * us. Rejects with `PUSH_NOT_VERIFIED` if it is not from the payment service.
 */
export async function takePush(
  workings: Workings,
  shopId: string,
  adapter: AnyPaymentAdapter,
  push: PaymentPush,
): Promise<void> {
  const { push: reader, name } = adapter
  if (!reader) throw new Problem('NOT_FOUND')
  if (reader.verify) {
    const genuine = await verified(workings, shopId, adapter, push).catch((error: unknown) => {
      workings.world.log.warn({ shop: shopId, adapter: name, err: error }, 'a push could not be verified')
      return false
    })
    if (genuine !== true) throw new Problem('PUSH_NOT_VERIFIED')
  }
  const { headers, query } = push
  const body = push.body.toString('base64')
  const about = { shopId, adapter: name, key: hashToken(`${query}\n${body}`) }
  const now = workings.world.now()
  const sealed = sealContent(workings.contents, about, { body, headers, query })
  await workings.store.keepPush({ ...about, sealed, receivedAt: now }, now)
  workings.wake()
}

async function verified(
  workings: Workings,
  shop: string,
  adapter: AnyPaymentAdapter,
  push: PaymentPush,
): Promise<boolean> {
  const deadline = new Deadline(workings.world, workings.deadlines.status)
  const ctx = await pushContext(workings, adapter, shop, deadline)
  const how = { adapter, call: 'verify', shop, deadline }
  const { verify } = adapter.push!
  return blaming(adapter, verify, () => callAdapter(workings, how, () => adapter.push!.verify!(push, ctx)))
}
