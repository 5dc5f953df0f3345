import { z } from 'zod'
import { readDecimal } from '../../../money/index.ts'
import type { Charge } from '../../charges.ts'
import type { Shop } from '../../shop.ts'
import type { NewService, Service } from '../../state.ts'
import { ApiError } from '../answers.ts'
import { type ApiRecord, datesOf } from '../records.ts'
import { derivedSource, type Source } from '../surface.ts'

// The resources of spec 4.2: each caller has its own.

export function servicesSource({ services }: Shop): Source {
  const record = (service: Service): ApiRecord => ({ ...service, ...datesOf(service) })
  const written = ({ createdAt: _, updatedAt: __, ...fields }: Record<string, unknown>) =>
    fields as unknown as NewService
  return {
    ...derivedSource(() => services.all().map(record)),
    create: (fields) => record(services.add(written(fields))),
    update: ({ id }, fields) => record(services.change(services.get(id)!, written(fields))),
    remove: services.remove,
  }
}

const httpAddress = z.url({ protocol: /^https?$/ })

export function chargesSource(shop: Shop): Source {
  const { charges } = shop
  const record = (charge: Charge): ApiRecord => {
    const { id, type, title, price, callbackUrl, status, token } = charge
    const pages = shop.apiUrl.replace(/\/api$/, `/charges/${id}`)
    return {
      ...{ id, type, title, price: Number(price), callbackUrl, status },
      approvalUrl: status === 'pending' ? `${pages}/approval?token=${token}` : null,
      cancelUrl: `${pages}/cancel?token=${token}`,
      ...datesOf(charge),
    }
  }
  return {
    ...derivedSource(() => charges.all().map(record)),
    faults: ({ price, callbackUrl }) => ({
      ...(Number(price) < 0 && { price: 'must be 0 or more' }),
      ...(!httpAddress.safeParse(callbackUrl).success && { callbackUrl: 'must be an address' }),
    }),
    create(fields) {
      const { type, title, callbackUrl } = fields as unknown as Charge
      const { appSubscriptionId: from, price } = fields
      const upgradeFrom = from === undefined ? undefined : Number(from)
      return record(charges.create({ type, title, callbackUrl, price: readDecimal(price)!, upgradeFrom }))
    },
    remove(id) {
      if (charges.remove(id)) return
      throw new ApiError(422, 'Only a charge that waits for the approval of the merchant can be removed.')
    },
  }
}
