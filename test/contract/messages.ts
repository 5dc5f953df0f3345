import * as example from '../../src/contract/examples.ts'

// One full message of each kind as a platform sends it: no field is left out, none is without data. Figures are those
// of no real shop.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Body = { [key: string]: Json }

const shop = { ...example.shopExample, id: 1042 }

const names = {
  firstname: 'Jo',
  middlename: 'van',
  lastname: 'Dam',
  fulllastname: 'van Dam',
  fullname: 'Jo van Dam',
}
const company = { company: 'Dam BV', vatnumber: 'NL000000000B01', cocnumber: '00000000' }
const person = { id: 501, birthdate: '1985-07-15', national_id: 'N-1', password: 'hunter2-secret' }
const customer = { ...example.customerExample, ...example.payerExample, ...person, ...names, ...company }

const house = { address2: 'Achterhuis', number: 12, extension: 'a', zipcode: '1015 CJ' }
const address = { ...example.addressExample, name: 'Jo van Dam', company: 'Dam BV', ...house }

const kettle = { ...example.productExample, title: 'Kettle', price_excl: '10.00', size_y: '20.5' }
const product = (product_id: number, price_incl: Json) => ({ ...kettle, product_id, price_incl })

const quote = {
  ...example.quoteExample,
  price_excl: '30.0000',
  additional_cost: true,
  totals: { sub_total: 30, taxes: [{ percentage: 21, amount: '6.30' }], grand_total: '36.30' },
  vat_shifted: true,
  products: [product(1, 12.1), product(3, '12.10'), product(5, '12.1000')],
  additional_cost_price_incl: 1.21,
  additional_cost_price_excl: '1.00',
}

const addresses = { billing_address: address, shipping_address: address }
const prices = { price_incl: '29.34', price_excl: 24.25, price_tax: '5.0900' }

/** As it comes out of the JSON parser: nothing is shared between two places. */
const sent = (body: Body): Body => JSON.parse(JSON.stringify(body))

/** The body of both calls for methods. */
export const methodsBody = (): Body =>
  sent({ ...example.checkoutExample, checkout_id: 9001, shop, customer, ...addresses, quote })

export const shipmentEstimateBody = (): Body =>
  sent({ ...example.estimateExample, shop, shipping_address: { zipcode: '1015 CJ', country: 'nl' }, quote })

export const paymentStartBody = (): Body =>
  sent({
    order: { ...example.paymentStartExample.order, id: 7, number: 'ORD00007', ...prices },
    customer,
    payment_method: { id: 'card', method: 'external_card', title: 'Card', data: { issuer: 'B-1' } },
    redirect_url: 'http://shop.example/checkout/return?order=7&key=a%2Fb',
    webhook_url: 'https://shop.example/hook?order=7&to=a@b.example',
    shop,
    ...addresses,
  })

export type Path = readonly (string | number)[]

/** The path of every value below, objects and lists before what they hold. */
export function pathsOf(value: Json, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const below = Array.isArray(value)
    ? value.flatMap((child, index) => pathsOf(child, [...path, index]))
    : Object.entries(value).flatMap(([key, child]) => pathsOf(child, [...path, key]))
  return path.length === 0 ? below : [path, ...below]
}

/** Puts a value at the path; `undefined` takes the key away. Nothing happens where the way there is gone. */
export function put(body: Body, path: Path, value: unknown): Body {
  let node: unknown = body
  for (const key of path.slice(0, -1)) node = (node as Record<string, unknown> | undefined)?.[key]
  if (typeof node !== 'object' || node === null) return body
  const last = path.at(-1)!
  if (value === undefined) delete (node as Record<string, unknown>)[last]
  else (node as Record<string, unknown>)[last] = value
  return body
}

/** `quote.products[2].price_incl`, as a fault names it. */
export const written = (path: Path): string =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  )
