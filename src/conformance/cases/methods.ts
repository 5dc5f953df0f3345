import type { z } from 'zod'
import { nearestIcon } from '../../checked-options.ts'
import { faultsOf, paymentMethod, shipmentMethod } from '../../contract/index.ts'
import type { Served } from '../../contract/served.ts'
import { jsonIn } from '../../contract/texts.ts'
import { decimal, pricesDisagree, readDecimal } from '../../money/index.ts'
import { type CaseByName, type ConformanceCase, casesOf, type Topic } from '../case.ts'
import {
  asFault,
  expectStatus,
  expectSuccess,
  expectThat,
  NotMet,
  Skip,
  shown,
  statusOf,
} from '../exchange.ts'
import {
  type Exchange,
  isList,
  itemsIn,
  listIn,
  type Message,
  noAnswerTo,
  noListOf,
  type Target,
} from '../target.ts'
import { fieldRules, fieldWithoutData, isAmount, isNone, withoutEmptyFields } from './method-fields.ts'

// Rules for every list of methods: shipping methods of the checkout and of the cart, and payment methods.

export interface MethodList {
  /** The prefix of the names of its cases. */
  prefix: string
  topic: Topic
  about: Served
  key: 'shipment_methods' | 'payment_methods'
  ask: (target: Target) => Promise<Exchange>
}

const schemas: Record<MethodList['key'], z.ZodType> = {
  shipment_methods: shipmentMethod,
  payment_methods: paymentMethod,
}

type Check = (exchange: Exchange, list: MethodList) => void

interface MethodCase extends Pick<CaseByName, 'title' | 'section' | 'level' | 'platform' | 'remedy'> {
  check: Check
  /** About the answer as a whole. The others have nothing to look at in an answer without methods. */
  ofAnswer?: true
}

/** Checks each method, which it gets with its place. */
const each =
  (check: (method: Message, place: string, exchange: Exchange, key: MethodList['key']) => void): Check =>
  (exchange, { key }) => {
    for (const [place, method] of listIn(exchange.json, key).entries())
      check(method, `${key}[${place}]`, exchange, key)
  }

/** Below 0 a shipping method is a discount. */
const isPrice = (value: unknown, key: MethodList['key']): boolean =>
  key === 'shipment_methods' ? readDecimal(value) !== undefined : isAmount(value)

const expectedOf = { shipment_methods: 'a number', payment_methods: 'a number of 0 or more' }

/** Checks fields one after the other, each in every method. */
const fields =
  (names: readonly string[], expected: string, holds: (method: Message, name: string) => boolean): Check =>
  (exchange, list) => {
    for (const name of names)
      each((method, place) =>
        expectThat(holds(method, name), expected, `${place}.${name} ${shown(method[name])}`, exchange),
      )(exchange, list)
  }

/** Fields with rules of their own. The case about the shape of a method leaves them alone. */
const ruled = (expected: string, ...names: string[]): Check =>
  fields(names, expected, (method, name) => fieldRules[name]!(method))

const prices = ['price_incl', 'price_excl']

const cases: Record<string, MethodCase> = {
  status: {
    title: 'A request for methods is answered with 201',
    section: 'spec 4.3',
    platform: 'Some platforms accept 200 too; others treat it as an error and show no methods.',
    remedy: 'Answer with status 201.',
    ofAnswer: true,
    check: (exchange) => expectStatus(exchange, 201),
  },
  list: {
    title: 'The answer is an object with a list of methods',
    section: 'spec 4.3',
    platform: 'The customer sees no methods of this provider.',
    remedy:
      'Answer {"<name of the list>": [...]}. A list in PHP with gaps becomes an object: use array_values().',
    ofAnswer: true,
    check(exchange, { key }) {
      const list = (exchange.json as Message | undefined)?.[key]
      const fault = isList(exchange.json, key) ? 'a list written as an object' : noListOf(key)
      const received = () => (exchange.text.trim() === '' ? 'an empty body' : shown(exchange.text))
      expectThat(Array.isArray(list), `an object with the list ${key}`, received, exchange, fault)
    },
  },
  'content-type': {
    title: 'The answer is labelled as JSON',
    section: 'spec 4.3',
    platform: 'Some platforms read it anyway, others do not.',
    remedy: 'Send Content-Type: application/json.',
    ofAnswer: true,
    check: expectJson,
  },
  'not-empty': {
    title: 'An ordinary customer is offered at least one method',
    section: 'spec 4.3',
    level: 'should',
    platform: 'The customer cannot choose this provider at all.',
    remedy: 'Offer a method for this parcel, or check with a --country and --currency that you serve.',
    ofAnswer: true,
    check(exchange, { key }) {
      const [received, fault] = isList(exchange.json, key)
        ? ['an empty list', undefined]
        : ['no list', noListOf(key)]
      expectThat(listIn(exchange.json, key).length > 0, 'at least one method', received, exchange, fault)
    },
  },
  title: {
    title: 'Every method has a title',
    platform: 'The method is left out.',
    remedy: 'Give every method a title, as text.',
    check: ruled('text', 'title'),
  },
  id: {
    title: 'Every method has an id',
    level: 'should',
    platform: 'The platform invents one from its position, and it is unknown later which method was meant.',
    remedy: 'Give every method an id, a text or a whole number.',
    check: each((method, place, exchange) => {
      const fault = isNone(method.id) ? 'methods without an id' : undefined
      const received = `${place}.id ${shown(method.id)}`
      expectThat(fieldRules.id!(method), 'a text or a whole number', received, exchange, fault)
    }),
  },
  'ids-differ': {
    title: 'No two methods have the same id',
    platform: 'The customer chooses one and gets the other.',
    remedy: 'Make the id of a method from what distinguishes it.',
    check(exchange, list) {
      const ids = listIn(exchange.json, list.key).map(({ id }) => String(id))
      const doubled = ids.find((id, place) => id !== 'undefined' && ids.indexOf(id) !== place)
      expectThat(doubled === undefined, 'each id once', `the id ${shown(doubled)} twice`, exchange)
    },
  },
  'price-incl': {
    title: 'Every method has a price with VAT, and no payment method one below 0',
    platform: 'The method is left out, or the order total is wrong.',
    remedy:
      'Send price_incl as a number. A shipping method below 0 is a discount; a payment method has 0 or more.',
    check: each((method, place, exchange, key) => {
      // A payment method without prices is free.
      const isFree = key === 'payment_methods' && isNone(method.price_incl) && isNone(method.price_excl)
      const received = `${place}.price_incl ${shown(method.price_incl)}`
      expectThat(isFree || isPrice(method.price_incl, key), expectedOf[key], received, exchange)
    }),
  },
  'price-excl': {
    title: 'Every method has a price without VAT',
    level: 'should',
    platform: 'The platform uses the price with VAT for both, and the tax is wrong.',
    remedy: 'Send price_excl beside price_incl.',
    check: each((method, place, exchange, key) => {
      // Without VAT 0 stays 0.
      if (isNone(method.price_excl) && !Number(method.price_incl)) return
      const received = `${place}.price_excl ${shown(method.price_excl)}`
      expectThat(isPrice(method.price_excl, key), expectedOf[key], received, exchange)
    }),
  },
  'price-numbers': {
    title: 'Prices are numbers, not text',
    level: 'should',
    platform: 'Some platforms read text too; others read it as 0.',
    remedy: 'Write prices as JSON numbers: 7.01, not "7.01".',
    check: fields([...prices, 'tax_rate'], 'a number', (method, name) => typeof method[name] !== 'string'),
  },
  'prices-agree': {
    title: 'The prices with and without VAT agree with the tax rate',
    platform: 'The invoice does not add up.',
    remedy: 'Compute price_incl from price_excl and tax_rate, rounded to cents.',
    check: each((method, place, exchange, key) => {
      const [incl, excl, rate] = [method.price_incl, method.price_excl, method.tax_rate].map(readDecimal)
      if (incl === undefined || excl === undefined || rate === undefined || decimal(rate).gt(1)) return
      if (![incl, excl].every((one) => isPrice(one, key))) return
      const what = `${place} with ${excl}, ${rate} and ${incl}`
      const agree = !pricesDisagree(method, currencyOf(exchange))
      expectThat(agree, 'price_incl = price_excl x (1 + tax_rate)', what, exchange)
    }),
  },
  'tax-rate': {
    title: 'The tax rate is a fraction',
    platform: 'A rate of 21 counts as 2,100 %.',
    remedy: 'Send 0.21 for 21 %.',
    check: ruled('a fraction from 0 to 1', 'tax_rate'),
  },
  cents: {
    title: 'Prices have at most the digits of their currency',
    level: 'note',
    platform: 'Each platform rounds in its own way, and totals differ by a cent.',
    remedy: 'Round prices to the digits of the currency before sending them.',
    check: fields(prices, 'at most four digits after the point', (method, name) => {
      const [, digits = ''] = readDecimal(method[name])?.split('.') ?? []
      return digits.length <= 4
    }),
  },
  shape: {
    title: 'Every method has the shape of the contract',
    platform: 'It leaves out or guesses values that it cannot read.',
    remedy: 'Correct the named field.',
    check(exchange, { key }) {
      for (const [place, method] of itemsIn(exchange.json, key).entries()) {
        const read = schemas[key].safeParse(method)
        const fault = read.success
          ? undefined
          : faultsOf(read.error).find((one) => !isRuled(one.path, method))
        if (fault === undefined) continue
        const where = `${key}[${place}]${fault.path === '$' ? '' : `.${fault.path}`}`
        throw new NotMet('the shape of the contract', `${where} ${fault.message}`, exchange)
      }
    },
  },
  'no-data': {
    title: 'A field without data is left out',
    section: 'spec 2.4',
    level: 'should',
    platform: 'Most read it as missing. Some expect text or a number wherever the field is there.',
    remedy: 'Leave out fields that have no data, rather than sending "" or null.',
    check: each((method, place, exchange) => {
      const name = fieldWithoutData(method)
      const received = () => `${place}.${name} ${JSON.stringify(method[name!])}`
      expectThat(name === undefined, 'no field without data', received, exchange)
    }),
  },
  'nothing-else': {
    title: 'The answer holds only the list',
    section: 'spec 4.3',
    level: 'note',
    platform: 'It ignores everything else.',
    remedy: 'Leave out other keys: they are not read.',
    ofAnswer: true,
    check(exchange, { key }) {
      if (!isList(exchange.json, key)) throw new Skip('The answer has no list')
      const others = Object.keys(exchange.json as object).filter((name) => name !== key)
      expectThat(others.length === 0, `${key} alone`, `also ${shown(others.join(', '))}`, exchange)
    },
  },
}

const flagCase = (section: string, ...names: string[]): MethodCase => ({
  title: `${names.join(', ')} are true or false`,
  section,
  platform: 'A text such as "false" counts as set on some platforms.',
  remedy: 'Send true or false, or 1 or 0.',
  check: ruled('true, false, 1 or 0', ...names),
})

const currencyOf = ({ body }: Exchange): string => (jsonIn(body ?? '{}') as Message)?.shop?.currency ?? 'eur'

const isSet = (flag: unknown) => flag === true || flag === 1

const shipmentOnly: Record<string, MethodCase> = {
  flags: flagCase('spec 2.5', 'is_pickup', 'is_servicepoint', 'is_cash_on_delivery'),
  'one-way': {
    title: 'A method is a pickup or a service point, not both',
    section: 'spec 2.5',
    level: 'should',
    platform:
      'The order becomes waiting_for_pickup or shipped, depending on the flag that the platform reads first.',
    remedy: 'Set is_pickup if the customer collects at the shop, is_servicepoint if elsewhere.',
    check: each(({ is_pickup, is_servicepoint }, place, exchange) => {
      const isBoth = isSet(is_pickup) && isSet(is_servicepoint)
      expectThat(!isBoth, 'one of the two', `${place} has both`, exchange)
    }),
  },
}

const paymentOnly: Record<string, MethodCase> = {
  flags: flagCase('spec 2.6', 'post_payment', 'invoice_external'),
  icon: {
    title: 'An icon is a name or an https address',
    section: 'spec 2.6',
    platform: 'The method has no icon, or the browser warns of mixed content.',
    remedy: 'Send a name such as banktransfer, or the https address of an image of 50 by 32 pixels.',
    check: each((method, place, exchange) => {
      const near = nearestIcon(String(method.icon))
      const received = `${place}.icon ${shown(method.icon)}${near ? `, which nearly is ${near}` : ''}`
      expectThat(fieldRules.icon!(method), 'a name or an https address', received, exchange)
    }),
  },
  'icon-name': {
    title: 'The name of an icon is spelled as in the contract',
    section: 'spec 2.6',
    level: 'should',
    platform: 'It knows no such name, and shows the method without an icon.',
    remedy:
      'Send the name that is nearest. Names of brands are not in the contract, and may be what they are.',
    check: each((method, place, exchange) => {
      const { icon } = method
      if (typeof icon !== 'string' || !fieldRules.icon!(method)) return
      const near = nearestIcon(icon)
      expectThat(near === undefined, `${near}`, `${place}.icon ${shown(icon)}`, exchange)
    }),
  },
  data: {
    title: 'The hidden data of a method is an object',
    section: 'spec 2.6',
    platform: 'The data is lost.',
    remedy: 'Send an object, or leave data out.',
    check: ruled('an object', 'data'),
  },
}

/** Throws unless the answer is labelled as JSON, and a `Skip` for one that is not JSON. The label is one fault in all answers. */
export function expectJson(exchange: Exchange): void {
  if (exchange.json === undefined) throw new Skip('The answer is not JSON')
  const type = exchange.answerHeaders['content-type'] ?? 'no Content-Type'
  const holds = /^application\/([\w.-]+\+)?json\b/i.test(type)
  expectThat(holds, 'application/json', type, exchange, 'JSON with another label')
}

/** Whether a fault of a method's shape belongs to the rule of a field. */
function isRuled(path: string, method: unknown): boolean {
  const [name = ''] = path.split(/[.[]/)
  const isOwn = name === 'id' || name.startsWith('price_')
  return isOwn || (fieldRules[name] !== undefined && !fieldRules[name](method as Message))
}

export function methodCases(list: MethodList): ConformanceCase[] {
  const { topic, about, key } = list
  const [own, section] = key === 'shipment_methods' ? [shipmentOnly, 'spec 2.5'] : [paymentOnly, 'spec 2.6']
  const named = Object.entries({ ...cases, ...own }).map(([name, { check, ofAnswer, ...about }]) => [
    `${list.prefix}-${name}`,
    {
      ...about,
      async run(target: Target) {
        const exchange = await list.ask(target)
        if (!ofAnswer && itemsIn(exchange.json, key).length === 0) throw nothingIn(exchange, key)
        await asFault(await noAnswer(target, list), () =>
          name === 'status' ? expectStatus(exchange, 201) : expectSuccess(exchange),
        )
        // The cart and the checkout have one fault if both have it.
        const isPlain = name === 'no-data' || !isList(exchange.json, key)
        const read = isPlain ? exchange : { ...exchange, json: withoutEmptyFields(exchange.json, key) }
        await asFault(`${key} ${name}`, () => check(read, list))
      },
    },
  ])
  return casesOf({ topic, about, section }, Object.fromEntries(named))
}

/** A rule about every method says nothing without any. */
export const nothingIn = (exchange: Exchange, key: MethodList['key']): Skip =>
  new Skip(
    isList(exchange.json, key)
      ? `The list of ${key} is empty`
      : `${key} was answered with ${statusOf(exchange)} and no list of methods`,
  )

/** A cart without an answer is a fault of its own, if the checkout has one. */
async function noAnswer(target: Target, { prefix, key }: MethodList): Promise<string> {
  const isCart = prefix === 'estimate' && isList((await target.shipmentMethods()).json, key)
  return isCart ? 'no answer to the cart' : noAnswerTo(key)
}
