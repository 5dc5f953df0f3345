import { none, price, rateAdapter } from 'purveyor'
import { tableRates } from 'purveyor/rates'

/** The first way: a tariff in a file, with zones, weights and a value from which it is free. `npx purveyor rates lint` checks it. */
export const tariff = tableRates({
  file: `${import.meta.dirname}/tariff.csv`,
  name: 'tariff',
  weightUnit: 'kg',
  currency: 'eur',
  taxRate: '0.21',
})

/** The second way: a function, for rules that no table can hold. If it throws, the other methods are still offered. */
export const courier = rateAdapter({
  name: 'courier',
  // The cart makes the same request with only zipcode and country of the customer.
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
