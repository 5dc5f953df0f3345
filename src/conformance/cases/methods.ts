import type { z } from 'zod'
import { faultsOf, paymentMethod, shipmentMethod } from '../../contract/index.ts'
import { decimal, readDecimal } from '../../money/index.ts'
import type { ConformanceCase, Level, Topic } from '../case.ts'
import { expectStatus, expectThat, NotMet, shown } from '../expect.ts'
import { type Exchange, listIn, type Message, type Target } from '../target.ts'

// Rules for every list of methods: shipping methods of the checkout and of the cart, and payment methods.

export interface MethodList {
  /** The prefix of the names of its cases. */
  prefix: string
  topic: Topic
  about: 'rates' | 'payments'
  key: 'shipment_methods' | 'payment_methods'
  /** The section of the spec about its methods. */
  section: string
  ask: (target: Target) => Promise<Exchange>
}

const schemas: Record<MethodList['key'], z.ZodType> = {
  shipment_methods: shipmentMethod,
  payment_methods: paymentMethod,
}

interface MethodCase {
  name: string
  title: string
  section?: string
  level: Level
  platform: string
  remedy: string
  check: (exchange: Exchange, list: MethodList) => void
}

/** Calls back with each method and its place. */
function each(
  exchange: Exchange,
  { key }: MethodList,
  check: (method: Message, place: string) => void,
): void {
  for (const [place, method] of listIn(exchange.json, key).entries()) check(method, `${key}[${place}]`)
}

function fieldOf(
  exchange: Exchange,
  list: MethodList,
  field: string,
  expected: string,
  holds: (value: unknown) => boolean,
) {
  each(exchange, list, (method, place) => {
    expectThat(holds(method[field]), expected, `${place}.${field} ${shown(method[field])}`, exchange)
  })
}

const isAmount = (value: unknown) => {
  const read = readDecimal(value)
  return read !== undefined && !read.startsWith('-')
}
const isFlag = (value: unknown) => [undefined, true, false, 0, 1].includes(value as undefined)

const cases: MethodCase[] = [
  {
    name: 'status',
    title: 'A request for methods is answered with 201',
    section: 'spec 4.3',
    level: 'must',
    platform: 'Some platforms accept 200 too; others treat it as an error and show no methods.',
    remedy: 'Answer with status 201.',
    check: (exchange) => expectStatus(exchange, 201),
  },
  {
    name: 'list',
    title: 'The answer is an object with a list of methods',
    section: 'spec 4.3',
    level: 'must',
    platform: 'The customer sees no methods of this provider.',
    remedy:
      'Answer {"<name of the list>": [...]}. A list in PHP with gaps becomes an object: use array_values().',
    check(exchange, { key }) {
      const list = (exchange.json as Message | undefined)?.[key]
      expectThat(Array.isArray(list), `an object with the list ${key}`, () => shown(exchange.text), exchange)
    },
  },
  {
    name: 'content-type',
    title: 'The answer is labelled as JSON',
    section: 'spec 4.3',
    level: 'must',
    platform: 'Some platforms read it anyway, others do not.',
    remedy: 'Send Content-Type: application/json.',
    check: expectJson,
  },
  {
    name: 'not-empty',
    title: 'An ordinary customer is offered at least one method',
    section: 'spec 4.3',
    level: 'should',
    platform: 'The customer cannot choose this provider at all.',
    remedy: 'Offer at least one method for a parcel of 36.30 eur to Amsterdam, or say why not in the log.',
    check(exchange, { key }) {
      expectThat(listIn(exchange.json, key).length > 0, 'at least one method', 'an empty list', exchange)
    },
  },
  {
    name: 'title',
    title: 'Every method has a title',
    level: 'must',
    platform: 'The method is left out.',
    remedy: 'Give every method a title, as text.',
    check: (exchange, list) =>
      fieldOf(exchange, list, 'title', 'text', (value) => typeof value === 'string' && value.trim() !== ''),
  },
  {
    name: 'id',
    title: 'Every method has an id',
    level: 'should',
    platform: 'The platform invents one from its position, and it is unknown later which method was meant.',
    remedy: 'Give every method an id, a text or a whole number.',
    check: (exchange, list) =>
      fieldOf(
        exchange,
        list,
        'id',
        'a text or a whole number',
        (value) => (typeof value === 'string' && value !== '') || Number.isSafeInteger(value),
      ),
  },
  {
    name: 'ids-differ',
    title: 'No two methods have the same id',
    level: 'must',
    platform: 'The customer chooses one and gets the other.',
    remedy: 'Make the id of a method from what distinguishes it.',
    check(exchange, list) {
      const ids = listIn(exchange.json, list.key).map(({ id }) => String(id))
      const doubled = ids.find((id, place) => id !== 'undefined' && ids.indexOf(id) !== place)
      expectThat(doubled === undefined, 'each id once', `the id ${shown(doubled)} twice`, exchange)
    },
  },
  {
    name: 'price-incl',
    title: 'Every method has a price of 0 or more, with VAT',
    level: 'must',
    platform: 'The method is left out, or the order total is wrong.',
    remedy: 'Send price_incl as a number of 0 or more.',
    check: (exchange, list) => fieldOf(exchange, list, 'price_incl', 'a number of 0 or more', isAmount),
  },
  {
    name: 'price-excl',
    title: 'Every method has a price without VAT',
    level: 'should',
    platform: 'The platform uses the price with VAT for both, and the tax is wrong.',
    remedy: 'Send price_excl beside price_incl.',
    check: (exchange, list) => fieldOf(exchange, list, 'price_excl', 'a number of 0 or more', isAmount),
  },
  {
    name: 'price-numbers',
    title: 'Prices are numbers, not text',
    level: 'should',
    platform: 'Some platforms read text too; others read it as 0.',
    remedy: 'Write prices as JSON numbers: 7.01, not "7.01".',
    check(exchange, list) {
      for (const field of ['price_incl', 'price_excl', 'tax_rate']) {
        fieldOf(exchange, list, field, 'a number', (value) => typeof value !== 'string')
      }
    },
  },
  {
    name: 'prices-agree',
    title: 'The prices with and without VAT agree with the tax rate',
    level: 'must',
    platform: 'The invoice does not add up.',
    remedy: 'Compute price_incl from price_excl and tax_rate, rounded to cents.',
    check: (exchange, list) =>
      each(exchange, list, (method, place) => {
        const [incl, excl, rate] = [method.price_incl, method.price_excl, method.tax_rate].map(readDecimal)
        if (incl === undefined || excl === undefined || rate === undefined || decimal(rate).gt(1)) return
        const computed = decimal(excl).times(decimal(rate).plus(1))
        const close = computed.minus(incl).abs().lte('0.011')
        const what = `${place} with ${excl}, ${rate} and ${incl}`
        expectThat(close, 'price_incl = price_excl x (1 + tax_rate)', what, exchange)
      }),
  },
  {
    name: 'tax-rate',
    title: 'The tax rate is a fraction',
    level: 'must',
    platform: 'A rate of 21 counts as 2,100 %.',
    remedy: 'Send 0.21 for 21 %.',
    check: (exchange, list) =>
      fieldOf(exchange, list, 'tax_rate', 'a fraction from 0 to 1', (value) => {
        const read = readDecimal(value)
        return value === undefined || (read !== undefined && !read.startsWith('-') && decimal(read).lte(1))
      }),
  },
  {
    name: 'cents',
    title: 'Prices have at most the digits of their currency',
    level: 'note',
    platform: 'Each platform rounds in its own way, and totals differ by a cent.',
    remedy: 'Round prices to the digits of the currency before sending them.',
    check(exchange, list) {
      for (const field of ['price_incl', 'price_excl']) {
        fieldOf(exchange, list, field, 'at most four digits after the point', (value) => {
          const read = readDecimal(value)
          return read === undefined || (read.split('.')[1] ?? '').length <= 4
        })
      }
    },
  },
  {
    name: 'shape',
    title: 'Every method has the shape of the contract',
    level: 'must',
    platform: 'It leaves out or guesses values that it cannot read.',
    remedy: 'Correct the named field.',
    check(exchange, list) {
      for (const [place, method] of listIn(exchange.json, list.key).entries()) {
        const read = schemas[list.key].safeParse(method)
        if (read.success) continue
        const [fault] = faultsOf(read.error)
        const where = `${list.key}[${place}]${fault?.path === '$' ? '' : `.${fault?.path}`}`
        throw new NotMet('the shape of the contract', `${where} ${fault?.message}`, exchange)
      }
    },
  },
  {
    name: 'nothing-else',
    title: 'The answer holds only the list',
    section: 'spec 4.3',
    level: 'note',
    platform: 'It ignores everything else.',
    remedy: 'Leave out other keys: they are not read.',
    check(exchange, { key }) {
      const others = Object.keys((exchange.json as object | undefined) ?? {}).filter((name) => name !== key)
      expectThat(others.length === 0, `${key} alone`, `also ${shown(others.join(', '))}`, exchange)
    },
  },
]

const flagCase = (names: string[], section: string): MethodCase => ({
  name: 'flags',
  title: `${names.join(', ')} are true or false`,
  section,
  level: 'must',
  platform: 'A text such as "false" counts as set on some platforms.',
  remedy: 'Send true or false, or 1 or 0.',
  check(exchange, list) {
    for (const name of names) fieldOf(exchange, list, name, 'true, false, 1 or 0', isFlag)
  },
})

const shipmentOnly: MethodCase[] = [
  flagCase(['is_pickup', 'is_servicepoint', 'is_cash_on_delivery'], 'spec 2.5'),
  {
    name: 'one-way',
    title: 'A method is a pickup or a service point, not both',
    section: 'spec 2.5',
    level: 'should',
    platform:
      'The order becomes waiting_for_pickup or shipped, depending on the flag that the platform reads first.',
    remedy: 'Set is_pickup if the customer collects at the shop, is_servicepoint if elsewhere.',
    check: (exchange, list) =>
      each(exchange, list, (method, place) =>
        expectThat(
          !(method.is_pickup && method.is_servicepoint),
          'one of the two',
          `${place} has both`,
          exchange,
        ),
      ),
  },
]

const paymentOnly: MethodCase[] = [
  flagCase(['post_payment', 'invoice_external'], 'spec 2.6'),
  {
    name: 'icon',
    title: 'An icon is a name or an https address',
    section: 'spec 2.6',
    level: 'must',
    platform: 'The method has no icon, or the browser warns of mixed content.',
    remedy: 'Send a name such as banktransfer, or the https address of an image of 50 by 32 pixels.',
    check: (exchange, list) =>
      fieldOf(
        exchange,
        list,
        'icon',
        'a name or an https address',
        (value) =>
          value === undefined ||
          value === null ||
          value === '' ||
          (typeof value === 'string' && /^([a-z0-9_-]+|https:\/\/\S+)$/.test(value)),
      ),
  },
  {
    name: 'data',
    title: 'The hidden data of a method is an object',
    section: 'spec 2.6',
    level: 'must',
    platform: 'The data is lost.',
    remedy: 'Send an object, or leave data out.',
    check: (exchange, list) =>
      fieldOf(
        exchange,
        list,
        'data',
        'an object',
        (value) =>
          value === undefined ||
          value === null ||
          (typeof value === 'object' && (!Array.isArray(value) || value.length === 0)),
      ),
  },
]

export function expectJson(exchange: Exchange): void {
  const type = exchange.answerHeaders['content-type'] ?? 'no Content-Type'
  expectThat(/^application\/([\w.-]+\+)?json\b/i.test(type), 'application/json', type, exchange)
}

/** The cases of one list. */
export const methodCases = (list: MethodList): ConformanceCase[] =>
  [...cases, ...(list.key === 'shipment_methods' ? shipmentOnly : paymentOnly)].map(
    ({ name, check, section = list.section, ...about }) => ({
      ...about,
      name: `${list.prefix}-${name}`,
      topic: list.topic,
      section,
      about: list.about,
      run: async (target) => check(await list.ask(target), list),
    }),
  )
