import { liveCheckout, liveCustomer, liveProduct } from '../../../src/contract/examples.ts'

const product = (id: number) => ({
  ...liveProduct,
  product_id: id,
  variant_id: id + 1000,
  ...{ title: `Stoneware mug ${id}`, fulltitle: `Stoneware mug ${id} - Blue`, variant: 'Blue' },
  ...{ description: id === 2 ? null : '', price_incl: '22.9900', price_excl: 19 },
  ...{ article_code: `ART-${id}`, sku: false, size_x: 0, size_y: '0', size_z: null },
  ...{ weight: 760, volume: 0, colli: '' },
})

/** One full checkout quote as a platform sends it, about 2.2 kB, and the five methods it is answered with. */
export const quote = JSON.stringify({
  ...liveCheckout,
  customer: { ...liveCustomer, gender: '', password: '' },
  quote: {
    ...liveCheckout.quote,
    price_incl: '68.9700',
    price_excl: 57,
    totals: { sub_total: 57, taxes: [{ percentage: 0.21, amount: '11.97' }], grand_total: '68.97' },
    weight: 2280,
    volume: 0,
    colli: 3,
    products: [product(1), product(2), product(3)],
  },
})

export const methods = ['Door', 'Evening', 'Saturday', 'Service point', 'Letterbox'].map((title, place) => ({
  id: `method-${place}`,
  title,
  description: 'Delivered by the carrier',
  ...{ price_incl: 6.05 + place, price_excl: 5 + place, tax_rate: 0.21 },
  ...{ is_pickup: false, is_servicepoint: place === 3, is_cash_on_delivery: false },
}))
