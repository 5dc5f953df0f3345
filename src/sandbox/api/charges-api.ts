import { newAppSubscription } from '../../contract/index.ts'
import { hasCode } from '../../errors.ts'
import { readDecimal } from '../../money/index.ts'
import type { Charge } from '../charges.ts'
import type { Shop } from '../shop.ts'
import { created, fine, notAllowed, notFound } from './answers.ts'
import { ApiError } from './api-error.ts'
import { fieldsOf } from './body.ts'
import { checked, filtered, known, type OwnApi, pageOf } from './own-api.ts'
import { type ApiRecord, timestamp } from './records.ts'

/** The charges of the merchant. */
export function chargesApi(shop: Shop): OwnApi {
  const { charges } = shop
  const all = () => charges.all().map((charge) => chargeRecord(shop, charge))
  return {
    collection(req) {
      if (req.method === 'GET') return fine({ appSubscriptions: pageOf(all(), req.query) })
      if (req.method !== 'POST') return notAllowed('GET, POST')
      const fields = known(newAppSubscription, fieldsOf(req, 'appSubscription'))
      const { appSubscriptionId, price, ...charge } = checked(newAppSubscription, fields)
      try {
        const upgradeFrom = appSubscriptionId === undefined ? undefined : Number(appSubscriptionId)
        const made = charges.create({ ...charge, price: readDecimal(price)!, upgradeFrom })
        return created({ appSubscription: chargeRecord(shop, made) })
      } catch (error) {
        if (hasCode(error, 'ARGUMENT_INVALID')) throw new ApiError(422, `${error.message}.`)
        throw error
      }
    },
    count: (req) => fine({ count: filtered(all(), req.query).length }),
    one(req, id) {
      const charge = charges.get(id)
      if (!charge) throw notFound()
      if (req.method === 'GET') return fine({ appSubscription: chargeRecord(shop, charge) })
      if (req.method !== 'DELETE') return notAllowed('GET, DELETE')
      if (!charges.remove(id)) {
        throw new ApiError(422, 'Only a charge that waits for the approval of the merchant can be removed.')
      }
      return { status: 204 }
    },
  }
}

function chargeRecord(shop: Shop, charge: Charge): ApiRecord {
  const { id, type, title, price, callbackUrl, status, token, createdAt, updatedAt } = charge
  const pages = shop.apiUrl.replace(/\/api$/, `/charges/${id}`)
  return {
    id,
    type,
    title,
    price: Number(price),
    callbackUrl,
    status,
    approvalUrl: status === 'pending' ? `${pages}/approval?token=${token}` : null,
    cancelUrl: `${pages}/cancel?token=${token}`,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  }
}
