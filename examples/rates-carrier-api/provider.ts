// Live rates of many carriers through an aggregator's API (Shippo). It is asked once for equal carts, gets country and zipcode and nothing
// else of the customer, and a tariff of our own replaces it while it is away. Try it: SHIPPO_TOKEN=shippo_test_... npm run -s purveyor --
// dev examples/rates-carrier-api/provider.ts
import { convertWeight, createProvider, none, price } from 'purveyor'
import { remoteRates, when } from 'purveyor/rates'

/** The answer of a carrier about a shipment, also where it has no rate for it. */
interface ShippoMessage {
  source: string
  code: string
  text: string
}

interface ShippoRate {
  amount: string
  currency: string
  provider: string
  servicelevel: { name: string; token: string }
  estimated_days: number | null
}

const minute = 60_000

const shippo = remoteRates({
  name: 'shippo',
  url: `${process.env.SHIPPO_URL ?? 'https://api.goshippo.com'}/shipments/`,
  auth: { header: { name: 'authorization', value: () => `ShippoToken ${process.env.SHIPPO_TOKEN}` } },
  needs: ['shipping_address.country', 'shipping_address.zipcode'],
  cache: { ttl: 15 * minute, staleFor: 60 * minute },
  body({ shipping_address, quote }, { parcels }) {
    const { each, count } = parcels(quote, { unit: 'kg', maxWeight: 30, maxParcels: 5 })
    const parcel = {
      length: '30',
      width: '20',
      height: '15',
      distance_unit: 'cm',
      weight: convertWeight(each, 'kg', 'g'),
      mass_unit: 'g',
    }
    return {
      address_from: { zip: '1012JS', city: 'Amsterdam', country: 'NL' },
      address_to: {
        zip: shipping_address.zipcode ?? '',
        country: shipping_address.country?.toUpperCase() ?? '',
      },
      parcels: Array.from({ length: count }, () => parcel),
      async: false,
    }
  },
  // Its 400 lists faults by field. Their texts repeat what the customer typed, so only the fields are named.
  refused: (status, body) =>
    none(
      `refused with ${status}: ${typeof body === 'object' ? Object.keys(body ?? {}).join(', ') : 'no details'}`,
    ),
  answer(body) {
    const { rates, messages = [] } = body as { rates: ShippoRate[]; messages?: ShippoMessage[] }
    if (rates.length === 0)
      return none(
        `no carrier has a rate (${messages.map(({ source }) => source).join(', ') || 'no reason given'})`,
      )
    return rates.map(({ amount, currency, provider, servicelevel, estimated_days: days }) => ({
      id: servicelevel.token,
      title: `${provider} ${servicelevel.name}`,
      description: days === null ? '' : { en: `In ${days} days`, nl: `Binnen ${days} dagen` },
      currency,
      ...price({ excl: amount, taxRate: '0.21', currency }),
    }))
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
        currency: 'eur',
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
