import { expectTypeOf, test } from 'vitest'
import type {
  Address,
  ChosenPaymentMethod,
  Customer,
  EstimateAddress,
  Order,
  PaymentMethodsRequest,
  PaymentStartRequest,
  PaymentStatus,
  ProblemCode,
  Quote,
  QuoteProduct,
  ShipmentEstimateRequest,
  ShipmentMethodsRequest,
  ShopDetails,
  WirePaymentMethod,
  WireShipmentMethod,
} from '../../src/contract/index.ts'
import type { Decimal, PriceInput } from '../../src/money/index.ts'

// The compiler runs these: `npx tsc -p .`. A line under @ts-expect-error must not compile.

test('an estimate knows zipcode and country of the customer, and nothing else', () => {
  expectTypeOf<keyof ShipmentEstimateRequest>().toEqualTypeOf<'shop' | 'shipping_address' | 'quote'>()
  expectTypeOf<keyof EstimateAddress>().toEqualTypeOf<'zipcode' | 'country'>()
  const read = (request: ShipmentEstimateRequest) => {
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
  expectTypeOf<Extract<keyof Customer, 'password'>>().toBeNever()
  const read = (customer: Customer) => {
    // @ts-expect-error the password ends in the parser
    void customer.password
    // @ts-expect-error any field of a customer may be missing
    customer.email.trim()
  }
  expectTypeOf(read).toBeFunction()
  expectTypeOf<Customer['birthdate']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Customer['gender']>().toEqualTypeOf<'male' | 'female' | undefined>()
  expectTypeOf<Customer['type']>().toEqualTypeOf<'private' | 'company' | undefined>()
  expectTypeOf<Customer['sameaddress']>().toEqualTypeOf<boolean>()
})

test('the fields of an address are text that may be missing', () => {
  expectTypeOf<Address[keyof Address]>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Address['number']>().toEqualTypeOf<string | undefined>()
})

test('ids are text and money is decimal', () => {
  expectTypeOf<Order['id']>().toEqualTypeOf<string>()
  expectTypeOf<Order['price_incl']>().toEqualTypeOf<Decimal>()
  expectTypeOf<Order['currency']>().toEqualTypeOf<string>()
  expectTypeOf<Order['number']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Quote['price_incl']>().toEqualTypeOf<Decimal>()
  expectTypeOf<Quote['weight']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<Quote['products']>().toEqualTypeOf<QuoteProduct[]>()
  expectTypeOf<QuoteProduct['price_incl' | 'price_excl']>().toEqualTypeOf<Decimal>()
  expectTypeOf<QuoteProduct['quantity']>().toEqualTypeOf<number>()
  expectTypeOf<QuoteProduct['stock_available']>().toEqualTypeOf<boolean>()
})

test('a shop has a language and a currency, and perhaps an id', () => {
  expectTypeOf<ShopDetails>().toEqualTypeOf<{
    id: string | undefined
    language: string
    currency: string
  }>()
})

test('the questions for shipping and for payment methods are of one shape', () => {
  expectTypeOf<PaymentMethodsRequest>().toEqualTypeOf<ShipmentMethodsRequest>()
})

test('a payment start has both addresses to call, and the data of the method', () => {
  expectTypeOf<PaymentStartRequest['redirect_url']>().toEqualTypeOf<string>()
  expectTypeOf<PaymentStartRequest['webhook_url']>().toEqualTypeOf<string>()
  expectTypeOf<ChosenPaymentMethod['data']>().toEqualTypeOf<Record<string, unknown>>()
  expectTypeOf<ChosenPaymentMethod['id']>().toEqualTypeOf<string | undefined>()
})

test('the words are unions', () => {
  expectTypeOf<PaymentStatus>().toEqualTypeOf<'paid' | 'pending' | 'expired' | 'cancelled'>()
  expectTypeOf<'STORE_UNAVAILABLE'>().toExtend<ProblemCode>()
  expectTypeOf<'SOMETHING_ELSE'>().not.toExtend<ProblemCode>()
})

test('what is on the wire has a title and a price', () => {
  expectTypeOf<WireShipmentMethod['title']>().toEqualTypeOf<string>()
  expectTypeOf<WireShipmentMethod['price_incl']>().toEqualTypeOf<string | number>()
  expectTypeOf<WireShipmentMethod['id']>().toEqualTypeOf<string | number | undefined>()
  expectTypeOf<WirePaymentMethod['id']>().toEqualTypeOf<string | number>()
})

test('a price is made from one side', () => {
  expectTypeOf<{ excl: '5'; taxRate: 0.21; currency: 'eur' }>().toExtend<PriceInput>()
  expectTypeOf<{ excl: '5'; incl: '6'; taxRate: 0.21; currency: 'eur' }>().not.toExtend<PriceInput>()
  expectTypeOf<{ taxRate: 0.21; currency: 'eur' }>().not.toExtend<PriceInput>()
})
