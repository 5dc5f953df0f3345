import type { z } from 'zod'
import { nearestIcon } from '../../checked-options.ts'
import { faultsOf, paymentMethod, shipmentMethod } from '../../contract/index.ts'
import { jsonIn } from '../../contract/texts.ts'
import type { Message } from '../../messages/exact.ts'
import { decimal, pricesDisagree, readDecimal } from '../../money/index.ts'
import { flags } from '../../sandbox/calls/answers.ts'
import { noListOf } from '../answers.ts'
import { textsIn } from '../case.ts'
import { Exchange, NotMet, shown } from '../exchange.ts'

// Rules for every list of methods: shipping methods of the checkout and of the cart, and payment methods.

export type ListKey = 'shipment_methods' | 'payment_methods'

const schemas: Record<ListKey, z.ZodType> = {
  shipment_methods: shipmentMethod,
  payment_methods: paymentMethod,
}

const faultsIn = (method: unknown, key: ListKey) => {
  const read = schemas[key].safeParse(method)
  return read.success ? [] : faultsOf(read.error)
}
const fieldIn = (path: string) => path.split(/[.[]/)[0]!

/** Rules of fields that the contract's shape does not have. */
const ownRules: Readonly<Record<string, (method: Message) => boolean>> = {
  title: ({ title }) => typeof title === 'string' && title.trim() !== '',
  tax_rate: ({ tax_rate: rate }) =>
    rate === undefined || (isAmount(rate) && decimal(readDecimal(rate)!).lte(1)),
}
/** Other fields with a rule, and so a case, of their own. */
const ruled: readonly string[] = ['icon', 'data', ...flags]

const isSound = (method: Message, name: string, key: ListKey): boolean =>
  ownRules[name]?.(method) ?? !faultsIn(method, key).some(({ path }) => fieldIn(path) === name)

/** Whether a fault of a method's shape belongs to the rule of a field. */
function isRuled(path: string, method: unknown): boolean {
  const name = fieldIn(path)
  const own = ownRules[name]
  return own ? !own(method as Message) : name === 'id' || name.startsWith('price_') || ruled.includes(name)
}

type Check = (exchange: Exchange, key: ListKey) => void

/** The rules of a table, each with what checks it. */
const rulesOf = (table: string, checks: Record<string, Check>) =>
  textsIn(table).map((texts) => ({ ...texts, check: checks[texts.name]! }))

/** About the answer as a whole. The others have nothing to look at in an answer without methods. */
export const rulesOfAnswers = ['status', 'list', 'content-type', 'not-empty']

/** Checks each method, which it gets with its place. */
const each =
  (check: (method: Message, place: string, exchange: Exchange, key: ListKey) => void): Check =>
  (exchange, key) => {
    for (const [index, method] of exchange.listIn(key).entries())
      check(method, `${key}[${index}]`, exchange, key)
  }

/** Checks fields one after the other, each in every method. */
const fields =
  (names: readonly string[], expected: string | Record<ListKey, string>, holds = isSound): Check =>
  (exchange, list) => {
    for (const name of names)
      each((method, place, _, key) => {
        const wanted = typeof expected === 'string' ? expected : expected[key]
        exchange.must(holds(method, name, key), wanted, `${place}.${name} ${shown(method[name])}`)
      })(exchange, list)
  }

const priceOf = { shipment_methods: 'a number', payment_methods: 'a number of 0 or more' }

/** Whether it is a decimal of 0 or more, as a number or as text. */
function isAmount(value: unknown): boolean {
  const read = readDecimal(value)
  return read !== undefined && !read.startsWith('-')
}

const isNone = (value: unknown): boolean => value === undefined || value === null

/** Below 0 a shipping method is a discount. */
const isPrice = (value: unknown, key: ListKey): boolean =>
  key === 'shipment_methods' ? readDecimal(value) !== undefined : isAmount(value)

const texts = `
status | must | A request for methods is answered with 201
  | Some platforms accept 200 too; others treat it as an error and show no methods. | Answer with status 201.
list | must | The answer is an object with a list of methods
  | The customer sees no methods of this provider.
  | Answer {"<name of the list>": [...]}. A list in PHP with gaps becomes an object: use array_values().
content-type | must | The answer is labelled as JSON
  | Some platforms read it anyway, others show no methods. | Send Content-Type: application/json.
not-empty | should | An ordinary customer is offered at least one method
  | The customer cannot choose this provider at all. | Offer a method for this parcel, or check with a --country and --currency that you serve.
title | must | Every method has a title
  | The method is left out. | Give every method a title, as text.
id | should | Every method has an id
  | The platform makes an id from the position, so it is unknown later which method was meant. | Give every method an id, a text or a whole number.
ids-differ | must | No two methods have the same id
  | The customer chooses one and gets the other. | Make the id of a method from what distinguishes it.
price-incl | must | Every method has a price with VAT, and no payment method one below 0
  | The method is left out, or the order total is wrong.
  | Send price_incl as a number. A shipping method below 0 is a discount; a payment method has 0 or more.
price-excl | should | Every method has a price without VAT
  | The platform uses the price with VAT for both, and the tax is wrong. | Send price_excl beside price_incl.
price-numbers | should | Prices are numbers, not text
  | Some platforms read text too; others read it as 0. | Write prices as JSON numbers: 7.01, not "7.01".
prices-agree | must | The prices with and without VAT agree with the tax rate
  | The invoice does not add up. | Compute price_incl from price_excl and tax_rate, rounded to cents.
tax-rate | must | The tax rate is a fraction
  | A rate of 21 counts as 2,100 %. | Send 0.21 for 21 %.
shape | must | Every method has the shape of the contract
  | The platform leaves out or guesses values that it cannot read. | Correct the named field.
no-data | should, spec 2.4 | A field without data is left out
  | Most platforms read it as missing. Some expect text or a number if the field is there.
  | Leave out fields that have no data, rather than sending "" or null.
`

export const rules = rulesOf(texts, {
  status: (exchange) => exchange.mustBe(201),
  list(exchange, key) {
    const isArray = Array.isArray(exchange.fields[key])
    const fault = exchange.hasList(key) ? 'a list written as an object' : noListOf(key)
    const received = exchange.text.trim() === '' ? 'an empty body' : shown(exchange.text)
    exchange.must(isArray, `an object with the list ${key}`, received, fault)
  },
  'content-type': (exchange) => exchange.mustBeJson(),
  'not-empty'(exchange, key) {
    const [received, fault] = exchange.hasList(key) ? ['an empty list'] : ['no list', noListOf(key)]
    exchange.must(exchange.listIn(key).length > 0, 'at least one method', received!, fault)
  },
  title: fields(['title'], 'text'),
  id: each((method, place, exchange) => {
    const fault = isNone(method.id) ? 'methods without an id' : undefined
    const isId = (typeof method.id === 'string' && method.id !== '') || Number.isSafeInteger(method.id)
    exchange.must(isId, 'a text or a whole number', `${place}.id ${shown(method.id)}`, fault)
  }),
  'ids-differ'(exchange, key) {
    const ids = exchange.listIn(key).map(({ id }) => String(id))
    const doubled = ids.find((id, index) => id !== 'undefined' && ids.indexOf(id) !== index)
    exchange.must(doubled === undefined, 'each id once', `the id ${shown(doubled)} twice`)
  },
  'price-incl': fields(['price_incl'], priceOf, ({ price_incl, price_excl }, _, key) => {
    // A payment method without prices is free.
    const isFree = key === 'payment_methods' && isNone(price_incl) && isNone(price_excl)
    return isFree || isPrice(price_incl, key)
  }),
  'price-excl': fields(['price_excl'], priceOf, ({ price_incl, price_excl }, _, key) => {
    // Without VAT 0 stays 0.
    const isNothing = isNone(price_excl) && !Number(price_incl)
    return isNothing || isPrice(price_excl, key)
  }),
  'price-numbers': fields(
    ['price_incl', 'price_excl', 'tax_rate'],
    'a number',
    (method, name) => typeof method[name] !== 'string',
  ),
  'prices-agree': each((method, place, exchange, key) => {
    const [incl, excl, rate] = [method.price_incl, method.price_excl, method.tax_rate].map(readDecimal)
    if (incl === undefined || excl === undefined || rate === undefined || decimal(rate).gt(1)) return
    if (![incl, excl].every((one) => isPrice(one, key))) return
    const what = `${place} with ${excl}, ${rate} and ${incl}`
    const agree = !pricesDisagree(method, currencyOf(exchange))
    exchange.must(agree, 'price_incl = price_excl x (1 + tax_rate)', what)
  }),
  'tax-rate': fields(['tax_rate'], 'a fraction from 0 to 1'),
  shape(exchange, key) {
    for (const [index, method] of exchange.itemsIn(key).entries()) {
      const fault = faultsIn(method, key).find(({ path }) => !isRuled(path, method))
      if (fault === undefined) continue
      const where = `${key}[${index}]${fault.path === '$' ? '' : `.${fault.path}`}`
      throw new NotMet('the shape of the contract', `${where} ${fault.message}`, exchange)
    }
  },
  'no-data': each((method, place, exchange) => {
    const name = Object.keys(method).find((one) => isWithoutData(one, method[one]))
    const received = `${place}.${name} ${JSON.stringify(method[name!])}`
    exchange.must(name === undefined, 'no field without data', received)
  }),
})

const currencyOf = ({ body }: Exchange): string =>
  (jsonIn(body ?? '') as Message | undefined)?.shop?.currency ?? 'eur'

const isSet = (flag: unknown) => flag === true || flag === 1

const ofShipment = `
flags | must | is_pickup, is_servicepoint, is_cash_on_delivery are true or false
  | A text such as "false" counts as set on some platforms. | Send true or false, or 1 or 0.
one-way | should | A method is a pickup or a service point, not both
  | The order becomes waiting_for_pickup or shipped, depending on the flag that the platform reads first.
  | Set is_pickup if the customer collects at the shop, is_servicepoint if elsewhere.
`

export const shipmentRules = rulesOf(ofShipment, {
  flags: fields(['is_pickup', 'is_servicepoint', 'is_cash_on_delivery'], 'true, false, 1 or 0'),
  'one-way': each(({ is_pickup, is_servicepoint }, place, exchange) => {
    const isBoth = isSet(is_pickup) && isSet(is_servicepoint)
    exchange.must(!isBoth, 'one of the two', `${place} has both`)
  }),
})

const ofPayment = `
flags | must | post_payment, invoice_external are true or false
  | A text such as "false" counts as set on some platforms. | Send true or false, or 1 or 0.
icon | must | An icon is a name or an https address
  | The method has no icon, or the browser warns of mixed content.
  | Send a name such as banktransfer, or the https address of an image of 50 by 32 pixels.
icon-name | should | The name of an icon is spelled as in the contract
  | The platform does not know the name, and shows the method without an icon.
  | Send the nearest name of the contract. The contract has no names of brands, so those may be any.
data | must | The hidden data of a method is an object
  | The data is lost. | Send an object, or leave data out.
`

export const paymentRules = rulesOf(ofPayment, {
  flags: fields(['post_payment', 'invoice_external'], 'true, false, 1 or 0'),
  icon: fields(['icon'], 'a name or an https address'),
  'icon-name': each((method, place, exchange, key) => {
    const { icon } = method
    if (typeof icon !== 'string' || !isSound(method, 'icon', key)) return
    const near = nearestIcon(icon)
    exchange.must(near === undefined, `${near}`, `${place}.icon ${shown(icon)}`)
  }),
  data: fields(['data'], 'an object'),
})

/** Whether a field that is there has no data: '', null or false, as platforms write it (spec 2.4). Text may be empty (spec 2.5 address). */
const isWithoutData = (name: string, value: unknown): boolean =>
  !['id', 'title'].includes(name) &&
  (value === null ||
    (value === '' && !/^(description|address|icon)$/.test(name)) ||
    (value === false && !flags.some((flag) => flag === name)))

/** An answer whose list has no such fields. The contract says nothing about them in answers, so they break no other rule. */
export function withoutEmptyFields(exchange: Exchange, key: string): Exchange {
  const list = exchange.fields[key]
  const shorter = Object.entries(list).map(([place, method]) => [place, shortened(method)] as const)
  const shown = Array.isArray(list) ? list.map(shortened) : Object.fromEntries(shorter)
  return new Exchange({ ...exchange, json: { ...exchange.fields, [key]: shown } })
}

const shortened = (method: unknown): unknown =>
  typeof method === 'object' && method !== null && !Array.isArray(method)
    ? Object.fromEntries(Object.entries(method).filter(([name, value]) => !isWithoutData(name, value)))
    : method
