// Live rates of many carriers through an aggregator's API (Shippo). It is asked once for equal carts, gets country and zipcode and nothing
// else of the customer, and a tariff of our own replaces it while it is away. Try it: SHIPPO_TOKEN=shippo_test_... npm run -s purveyor --
// dev examples/rates-carrier-api/provider.ts
import { convertWeight, createProvider, none, price } from 'purveyor'
import { RemoteRatesError, remoteRates, when } from 'purveyor/rates'

/** The answer of a carrier about a shipment, also where it has no rate for it. */
interface ShippoMessage {
  source: string
  code: string
  text: string
}

interface ShippoRate {
  /** `null` where the carrier has no price. */
  amount: string | null
  currency: string
  provider: string
  servicelevel: { name: string; token: string }
  estimated_days?: number | null
}

const minute = 60_000

const shippo = remoteRates({
  name: 'shippo',
  url: `${process.env.SHIPPO_URL ?? 'https://api.goshippo.com'}/shipments/`,
  auth: { header: { name: 'authorization', value: () => `ShippoToken ${process.env.SHIPPO_TOKEN}` } },
  needs: ['shipping_address.country', 'shipping_address.zipcode'],
  cache: { ttl: 15 * minute, staleFor: 60 * minute },
  body({ shipping_address, quote }, { parcels }) {
    const { list } = parcels(quote, { unit: 'kg', maxWeight: 30, maxParcels: 5 })
    const size = { length: '30', width: '20', height: '15', distance_unit: 'cm', mass_unit: 'g' }
    return {
      address_from: { zip: '1012JS', city: 'Amsterdam', country: 'NL' },
      address_to: {
        zip: shipping_address.zipcode ?? '',
        country: shipping_address.country?.toUpperCase() ?? '',
      },
      parcels: list.map(({ chargeable }) => ({ ...size, weight: convertWeight(chargeable, 'kg', 'g') })),
      async: false,
    }
  },
  // Its 400 lists faults by field. Their texts repeat what the customer typed, so only the fields are named.
  refused(status, body) {
    // Not about the address: too many calls at once.
    if (status === 409)
      throw new RemoteRatesError('shippo: 409, too many calls', status, { about: 'carrier' })
    const fields = typeof body === 'object' ? Object.keys(body ?? {}).join(', ') : 'no details'
    return none(`refused with ${status}: ${fields}`)
  },
  answer(body, _request, { explain }, { status }) {
    const { rates, messages = [] } = body as { rates: ShippoRate[]; messages?: ShippoMessage[] }
    const sources = (code?: string) =>
      messages.flatMap((one) => (code === undefined || one.code === code ? one.source : [])).join(', ')
    if (rates.length === 0) {
      // An outage inside a good answer.
      const late = sources('carrier_timeout')
      if (late !== '') throw new RemoteRatesError(`shippo: ${late} did not answer in time`, status)
      return none(`no carrier has a rate (${sources() || 'no reason given'})`)
    }
    return rates.flatMap(({ amount: excl, currency, provider, servicelevel, estimated_days: days }) => {
      if (excl === null) {
        explain(`no price: ${servicelevel.token}`)
        return []
      }
      return {
        id: servicelevel.token,
        title: `${provider} ${servicelevel.name}`,
        description: typeof days === 'number' ? { en: `In ${days} days`, nl: `Binnen ${days} dagen` } : '',
        ...price({ excl, taxRate: '0.21', currency }),
      }
    })
  },
})

export default createProvider({
  rates: {
    adapters: when({ weight: { above: 0, unit: 'g' } }, shippo),
    units: { weight: 'g' },
    fallback: [
      {
        id: 'standard',
        title: 'Standard',
        ...price({ excl: '9.50', taxRate: '0.21', currency: 'eur' }),
      },
    ], // The aggregator bills in dollars. Rates of the day belong here; a rate in a currency without one is left out.
    convert({ amount, from, to }) {
      const inEuro = { usd: 0.87, eur: 1 }[from]
      if (inEuro === undefined || to !== 'eur') throw new RangeError(`no rate from ${from} to ${to}`)
      return Number(amount) * inEuro
    },
  },
})
