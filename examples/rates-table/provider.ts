// A carrier whose rates are a table: zones, weights and islands as in its public tariff, in two languages. A changed file is in
// use a few seconds later. Try it: npm run -s purveyor -- dev --provider examples/rates-table/provider.ts
import { createProvider } from 'purveyor'
import { tableRates } from 'purveyor/rates'

export default createProvider({
  rates: {
    adapters: tableRates({
      file: `${import.meta.dirname}/tariff.csv`,
      weightUnit: 'kg',
      currency: 'eur',
      taxRate: '0.21',
      // Heavier quotes are split into parcels, and large ones are charged by volume.
      parcel: { maxWeight: 23, volumetricDivisor: 5000, maxParcels: 4 },
      surcharges: [{ name: 'fuel', percent: '4.5' }],
    }),
    units: { weight: 'g', volume: 'cm3' },
    fallback: [
      {
        id: 'standard',
        title: { en: 'Standard delivery', nl: 'Standaardbezorging' },
        price_incl: '9.95',
        price_excl: '8.22',
        tax_rate: '0.21',
        currency: 'eur',
      },
    ],
  },
})
