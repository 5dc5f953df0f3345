import { clusterId, shopId } from '../messages/live.ts'
import { md5OfPairs } from '../platform/verifiers.ts'
import type { Charge } from './charges.ts'

/** The address for the merchant after a decision on a charge: its callbackUrl with signed parameters (spec 5, 6). */
export function callbackUrlOf(
  charge: Charge,
  by: { language: string; appSecret: string; now: number },
): string {
  const { language, appSecret, now } = by
  const signed = {
    app_subscription_id: String(charge.id),
    language,
    shop_id: String(shopId),
    timestamp: String(Math.floor(now / 1000)),
  }
  const url = new URL(charge.callbackUrl)
  for (const [name, value] of Object.entries(signed)) url.searchParams.set(name, value)
  url.searchParams.set('cluster_id', clusterId)
  url.searchParams.set('signature', md5OfPairs(signed, appSecret).toString('hex'))
  return url.href
}
