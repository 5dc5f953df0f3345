import { newAppSubscription } from '../../contract/index.ts'
import { readDecimal } from '../../money/index.ts'
import type { Charge } from '../charges.ts'
import type { Shop } from '../shop.ts'
import { ApiError } from './answers.ts'
import { checked, type OwnRecords } from './own-api.ts'
import { type ApiRecord, timestamp } from './records.ts'

/** The charges of the merchant. */
export function chargesApi(shop: Shop): OwnRecords {
  const { charges } = shop
  return {
    one: 'appSubscription',
    all: () => charges.all().map((charge) => chargeRecord(shop, charge)),
    add(fields) {
      const { appSubscriptionId, price, ...charge } = checked(newAppSubscription, fields)
      const upgradeFrom = appSubscriptionId === undefined ? undefined : Number(appSubscriptionId)
      return chargeRecord(shop, charges.create({ ...charge, price: readDecimal(price)!, upgradeFrom }))
    },
    remove(id) {
      if (charges.remove(id)) return
      throw new ApiError(422, 'Only a charge that waits for the approval of the merchant can be removed.')
    },
  }
}

function chargeRecord(shop: Shop, charge: Charge): ApiRecord {
  const { id, type, title, price, callbackUrl, status, token, createdAt, updatedAt } = charge
  const pages = shop.apiUrl.replace(/\/api$/, `/charges/${id}`)
  const fields = { id, type, title, price: Number(price), callbackUrl, status }
  return {
    ...fields,
    approvalUrl: status === 'pending' ? `${pages}/approval?token=${token}` : null,
    cancelUrl: `${pages}/cancel?token=${token}`,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  }
}
