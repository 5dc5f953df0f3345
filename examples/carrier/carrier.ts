// A carrier with an account for each shop: OAuth, a rates API, parcels, pickup points, delivery promises, and a tariff for when it is away.
import { join } from 'node:path'
import { price as priceOf, z } from 'purveyor'
import {
  combine,
  deliveryPromise,
  freeFrom,
  markup,
  oauth,
  onFailure,
  promised,
  remoteRates,
  tableRates,
  taxed,
} from 'purveyor/rates'

/** The settings of one shop, for all adapters of this carrier. */
export const account = z.strictObject({
  clientId: z.string(),
  clientSecret: z.string(),
  contract: z.string(),
  /** Added to the carrier's prices, in percent. */
  markup: z.number().min(0).default(0),
  /** Delivery is free from this value of the cart on. */
  freeFrom: z.number().positive().default(150),
  /** The shop's own prices while the carrier is away: a name from this list, never a path. */
  tariff: z.enum(['standard', 'light']).default('standard'),
  cutOff: z.string().default('17:00'),
})
type Account = z.output<typeof account>
const shared = { settings: account, settingsName: 'carrier' }

type Price = { amount: string; currency: string }
type Products = { products: { code: string; name: Record<string, string>; price: Price }[] }
type Points = { points: { id: string; name: string; address: string; distance: number; price: Price }[] }
type Refusal = { errors: { code: string }[] }

const api = process.env.CARRIER_URL ?? 'https://api.carrier.example'

const login = oauth({
  tokenUrl: `${api}/oauth/token`,
  credentials: ({ clientId: id, clientSecret: secret }: Account) => ({ id, secret }),
  scope: 'rates points',
})

/** The options of both calls of the API. Tax is added at the end. */
const calls = {
  ...shared,
  auth: login,
  needs: ['shipping_address.country', 'shipping_address.zipcode'] as const,
  estimate: true,
  cache: { ttl: 10 * 60_000, staleFor: 60 * 60_000 },
}
const untaxed = ({ amount: excl, currency }: Price) => priceOf({ excl, taxRate: 0, currency })

const door = remoteRates({
  ...calls,
  name: 'door',
  url: `${api}/v1/rates`,
  body: ({ shipping_address: to, quote }, { settings, parcels }) => ({
    contract: settings.contract,
    destination: { country: to.country?.toUpperCase(), postcode: to.zipcode },
    parcels: parcels(quote, { unit: 'kg', maxWeight: 30, maxParcels: 5, volumetricDivisor: 5000 }).list.map(
      ({ chargeable }) => ({ weight: chargeable }),
    ),
  }),
  answer: (body) =>
    (body as Products).products.map(({ code: id, name: title, price }) => ({ id, title, ...untaxed(price) })),
  refused: (status, body, _request, { none }) =>
    none(`the carrier refuses it: ${(body as Refusal).errors?.[0]?.code ?? status}`),
})

const points = remoteRates({
  ...calls,
  name: 'points',
  url: ({ shipping_address: { country = '', zipcode = '' } }, { settings }) =>
    `${api}/v1/points?${new URLSearchParams({ contract: settings.contract, country, postcode: zipcode })}`,
  answer: (body) =>
    (body as Points).points.slice(0, 3).map(({ id, name, address, distance, price }) => ({
      id: `point-${id}`,
      title: name,
      description: { en: `${distance} m away`, nl: `Op ${distance} m` },
      address,
      is_servicepoint: true,
      ...untaxed(price),
    })),
  refused: (status, _body, _request, { none }) => none(`no points there (${status})`),
})

const folder = join(import.meta.dirname, 'tariffs')
const file = ({ tariff }: Account) => join(folder, `${tariff}.csv`)
const tariff = tableRates({ ...shared, name: 'tariff', folder, file, taxRate: 0 })

const sending = ({ cutOff }: Account) => ({ timeZone: 'Europe/Amsterdam', cutOff, transit: 1 })
const promise = deliveryPromise(sending)
/** For the carrier's prices, not for the shop's own. */
const marked = { percent: ({ markup }: Account) => markup }
const delivered = promised({ promise }, onFailure(markup(marked, door), tariff))
const both = combine('carrier', [delivered, markup(marked, points)])

/** Everything of this carrier. Its settings stand once, under `carrier`. */
export const carrier = taxed(
  { rate: 'goods' },
  freeFrom({ value: ({ freeFrom }: Account) => freeFrom }, both),
)
