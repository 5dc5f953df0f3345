import { none, price, rateAdapter } from 'purveyor'
import { tableRates } from 'purveyor/rates'

/** One road: a tariff in a file, with zones, weights and a value from which it is free. `npx purveyor rates lint` checks it. */
export const tariff = tableRates({
  file: `${import.meta.dirname}/tariff.csv`,
  name: 'tariff',
  weightUnit: 'kg',
  currency: 'eur',
  taxRate: '0.21',
})

/** The other road: a function, for what no table says. What it throws costs no other method its place. */
export const courier = rateAdapter({
  name: 'courier',
  // The cart asks the same, and knows no more of the customer than zipcode and country.
  estimate: 'quote',
  quote({ shipping_address, quote, shop }, { parcels, now }) {
    const { country, zipcode = '' } = shipping_address
    if (country !== 'nl' || !zipcode.startsWith('10')) return none('only in Amsterdam')
    const { chargeable } = parcels(quote, { unit: 'kg' })
    if (Number(chargeable) > 20) return none('too heavy for a bicycle')
    const evening = new Date(now()).getHours() >= 12
    return [
      {
        id: 'courier',
        title: { en: 'By bicycle', nl: 'Per fiets' },
        description: evening ? { en: 'Tomorrow', nl: 'Morgen' } : { en: 'Today', nl: 'Vandaag' },
        ...price({ excl: '9.95', taxRate: '0.21', currency: shop.currency }),
      },
    ]
  },
})
