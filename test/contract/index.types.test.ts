import { expectTypeOf, test } from 'vitest'
import type * as contract from '../../src/contract/index.ts'
import type { Decimal, PriceInput } from '../../src/money/index.ts'

// The compiler runs these: `npx tsc -p .`. A line under @ts-expect-error must not compile.

test('an estimate knows zipcode and country of the customer, and nothing else', () => {
  expectTypeOf<keyof contract.ShipmentEstimateRequest>().toEqualTypeOf<
    'shop' | 'shipping_address' | 'quote'
  >()
  expectTypeOf<keyof contract.EstimateAddress>().toEqualTypeOf<'zipcode' | 'country'>()
  const read = (request: contract.ShipmentEstimateRequest) => {
    // @ts-expect-error an estimate has no customer
    void request.customer
    // @ts-expect-error an estimate has no billing address
    void request.billing_address
    // @ts-expect-error an estimate has no street
    void request.shipping_address.address1
    // @ts-expect-error the type says what rate_estimate said
    void request.rate_estimate
  }
  expectTypeOf(read).toBeFunction()
})

test('a customer has no password', () => {
  expectTypeOf<Extract<keyof contract.Customer, 'password'>>().toBeNever()
  const read = (customer: contract.Customer) => {
    // @ts-expect-error the password ends in the parser
    void customer.password
    // @ts-expect-error any field of a customer may be missing
    customer.email.trim()
  }
  expectTypeOf(read).toBeFunction()
  expectTypeOf<contract.Customer['birthdate']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<contract.Customer['gender']>().toEqualTypeOf<'male' | 'female' | undefined>()
  expectTypeOf<contract.Customer['type']>().toEqualTypeOf<'private' | 'company' | undefined>()
  expectTypeOf<contract.Customer['sameaddress']>().toEqualTypeOf<boolean>()
})

test('the fields of an address are text that may be missing', () => {
  expectTypeOf<contract.Address[keyof contract.Address]>().toEqualTypeOf<string | undefined>()
  expectTypeOf<contract.Address['number']>().toEqualTypeOf<string | undefined>()
})

test('ids are text and money is decimal', () => {
  expectTypeOf<contract.Order['id']>().toEqualTypeOf<string>()
  expectTypeOf<contract.Order['price_incl']>().toEqualTypeOf<Decimal>()
  expectTypeOf<contract.Order['currency']>().toEqualTypeOf<string>()
  expectTypeOf<contract.Order['number']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<contract.Quote['price_incl']>().toEqualTypeOf<Decimal>()
  expectTypeOf<contract.Quote['weight']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<contract.Quote['products']>().toEqualTypeOf<contract.QuoteProduct[]>()
  expectTypeOf<contract.QuoteProduct['price_incl' | 'price_excl']>().toEqualTypeOf<Decimal>()
  expectTypeOf<contract.QuoteProduct['quantity']>().toEqualTypeOf<number>()
  expectTypeOf<contract.QuoteProduct['stock_available']>().toEqualTypeOf<boolean>()
})

test('a shop has a language and a currency, and perhaps an id', () => {
  type Shop = { id: string | undefined; language: string; currency: string }
  expectTypeOf<contract.ShopDetails>().toEqualTypeOf<Shop>()
})

test('the questions for shipping and for payment methods are of one shape', () => {
  expectTypeOf<contract.PaymentMethodsRequest>().toEqualTypeOf<contract.ShipmentMethodsRequest>()
})

test('a payment start has both addresses to call, and the data of the method', () => {
  expectTypeOf<contract.PaymentStartRequest['redirect_url']>().toEqualTypeOf<string>()
  expectTypeOf<contract.PaymentStartRequest['webhook_url']>().toEqualTypeOf<string>()
  expectTypeOf<contract.ChosenPaymentMethod['data']>().toEqualTypeOf<Record<string, unknown>>()
  expectTypeOf<contract.ChosenPaymentMethod['id']>().toEqualTypeOf<string | undefined>()
})

test('the words are unions', () => {
  expectTypeOf<contract.PaymentStatus>().toEqualTypeOf<'paid' | 'pending' | 'expired' | 'cancelled'>()
  expectTypeOf<'STORE_UNAVAILABLE'>().toExtend<contract.ProblemCode>()
  expectTypeOf<'SOMETHING_ELSE'>().not.toExtend<contract.ProblemCode>()
})

test('what is on the wire has a title and a price', () => {
  expectTypeOf<contract.WireShipmentMethod['title']>().toEqualTypeOf<string>()
  expectTypeOf<contract.WireShipmentMethod['price_incl']>().toEqualTypeOf<string | number>()
  expectTypeOf<contract.WireShipmentMethod['id']>().toEqualTypeOf<string | number | undefined>()
  expectTypeOf<contract.WirePaymentMethod['id']>().toEqualTypeOf<string | number>()
})

test('a price is made from one side', () => {
  expectTypeOf<{ excl: '5'; taxRate: 0.21; currency: 'eur' }>().toExtend<PriceInput>()
  expectTypeOf<{ excl: '5'; incl: '6'; taxRate: 0.21; currency: 'eur' }>().not.toExtend<PriceInput>()
  expectTypeOf<{ taxRate: 0.21; currency: 'eur' }>().not.toExtend<PriceInput>()
})
