import { expect, test } from 'vitest'
import { price, type RateAdapter } from '../../../src/index.ts'
import { ratesWith } from '../../helpers/rates.ts'

test('a volume that is unknown is logged once for each adapter, and the weight counts', async () => {
  const carrier: RateAdapter = {
    name: 'carrier',
    quote({ quote }, ctx) {
      const { chargeable } = ctx.parcels(quote, { unit: 'kg', volumetricDivisor: 5000 })
      return [{ id: 'a', title: chargeable, ...price({ excl: 5, taxRate: 0, currency: 'eur' }) }]
    },
  }
  const { ask, lines } = ratesWith([carrier], { units: () => ({ weight: 'g', volume: 'cm3' }) })
  for (let times = 0; times < 3; times++) {
    const { methods, adapters } = await ask((body) => Object.assign(body.quote, { volume: 0, products: [] }))
    expect(methods).toHaveLength(1)
    expect(adapters[0]!.parcels).toMatchObject([{ unknown: ['volume'], volumetric: undefined }])
  }
  expect(lines.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
    'volume of the cart is known only in part: the unknown part does not count',
  ])
})
