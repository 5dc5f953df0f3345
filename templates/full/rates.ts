import { decimal, type EstimateRequest, price, type QuoteRequest, rateAdapter } from 'purveyor'

/** Shipping prices without VAT, by country. */
const tariffs: Record<string, { door: string; point: string }> = {
  nl: { door: '5.79', point: '4.13' },
  be: { door: '7.85', point: '6.20' },
  de: { door: '9.50', point: '8.26' },
}
const freeFrom = '75.00'

// The cart makes the same request as the checkout, with only zipcode and country of the customer.
function methods({ shipping_address, quote, shop }: QuoteRequest | EstimateRequest) {
  const tariff = tariffs[shipping_address.country ?? '']
  if (!tariff) return []
  const priced = (excl: string) => price({ excl, taxRate: '0.21', currency: shop.currency })
  const free = decimal(quote.price_incl).gte(freeFrom)
  return [
    {
      id: 'door',
      title: 'At your door',
      description: free ? 'Free from 75.00' : 'Delivered the next working day',
      ...priced(free ? '0' : tariff.door),
    },
    {
      id: 'point',
      title: 'At a service point',
      description: 'Collect it within seven days',
      is_servicepoint: true,
      ...priced(tariff.point),
    },
  ]
}

export const rates = rateAdapter({ name: 'carrier', quote: methods, estimate: methods })
