import type { Message } from '../../messages/exact.ts'
import { lists } from '../answers.ts'
import { casesOf, type RunnableCase, set, textsIn } from '../case.ts'
import { asFault, type Exchange, shown } from '../exchange.ts'

const shared = { topic: 'hostile input', section: 'spec 4.3', about: 'either' } as const
const platform =
  'A platform never sends this, but anyone on the internet may: a failure affects all shops, and shows internals to strangers.'

/** The message of a checkout, or what `body` says: another text, or what it makes of this one. */
interface Input {
  /** Refused with 4xx, or answered without failing. Default: the latter. */
  check?: (exchange: Exchange) => void
  change?: (message: Message) => unknown
  body?: string | ((text: string) => string)
  /** Whether it has another shape than a message. A failure over one is a failure over all of these. */
  isShapeless?: true
}

const noMessage = (body: string): Input => ({
  isShapeless: true,
  check: (exchange) => exchange.mustBeRefused('a success for a body that is not a message'),
  body,
})

const inputTable = `
no-body | should | A POST without a body | Answer 400.
half-json | should | Half a JSON body | Answer 400.
text | should | A body that is text | Answer 400.
list | should | A body that is a list | Answer 4xx: every message is an object.
null | should | A body that is null | Answer 4xx: every message is an object.
empty-object | should | An empty object | Answer 4xx, or an empty list.
wrong-types | should | Objects where text belongs, and text where objects belong | Check the shape of a message before using it.
deep | should | A body that nests 5,000 levels | Limit the depth of what you parse, and answer 4xx.
large | should | A body of one megabyte | Limit the size of bodies, such as to 1 MiB, and answer 413.
prototype | should | Keys that reach into prototypes | Drop __proto__, constructor and prototype while reading.
huge-numbers | should | Numbers that are larger than any price | Refuse what is not finite, and whole numbers that are not exact.
negative-prices | should | Prices and weights below 0 | Treat them as 0, or refuse them with 4xx.
control-characters | should | Text with control characters and halves of characters | Read text as it comes, and keep it out of headers and logs.
many-products | should | A quote of 2,000 products | Answer it within seconds, or refuse it with 413.
markup | should | Markup in the names of the customer | Escape whatever you show of a message.
`

const inputs: Record<string, Input> = {
  'no-body': noMessage(''),
  'half-json': noMessage('{"shop": {"id": 1, "quote"'),
  text: noMessage('hello'),
  list: noMessage('[1, 2, 3]'),
  null: noMessage('null'),
  'empty-object': { isShapeless: true, body: '{}' },
  'wrong-types': {
    isShapeless: true,
    change: set({ shop: 'shop', quote: [], customer: 7, shipping_address: 'here' }),
  },
  deep: { isShapeless: true, body: `{"quote": ${'['.repeat(5_000)}${']'.repeat(5_000)}}` },
  large: { change: set({ padding: 'x'.repeat(1024 * 1024) }) },
  prototype: {
    body: (text) =>
      `{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}},${text.slice(1)}`,
  },
  'huge-numbers': {
    body: (text) => text.replaceAll(/36\.3|3630/g, '1e400').replaceAll('1200', '1e309'),
  },
  'negative-prices': {
    change: set({ price_incl: -36.3, price_excl: -30, weight: -1, volume: -1 }, 'quote'),
  },
  'control-characters': {
    change: set({ city: 'A\u0000B\r\nX: y', address1: '\ud800' }, 'shipping_address'),
  },
  'many-products': {
    change({ quote }) {
      const [{ product_id }] = quote.products
      quote.products = Array.from({ length: 2_000 }, () => ({ product_id, title: 'x' }))
    },
  },
  markup: {
    check(exchange) {
      exchange.mustNotFail()
      exchange.must(!exchange.text.includes('<script>alert'), 'no markup in the answer', 'the markup')
    },
    change: set({ firstname: '<script>alert(1)</script>' }, 'customer'),
  },
}

const inputCases = lists.flatMap(({ about, path }) =>
  textsIn(inputTable, platform).map(({ name, title, ...texts }): RunnableCase => {
    const { isShapeless, change, body = (text) => text, ...input } = inputs[name]!
    const { check = (answer) => answer.mustNotFail() } = input
    return {
      ...{ ...shared, ...texts, about, name: `hostile-${name}-to-${path.replace('_', '-')}` },
      title: `${title} breaks nothing in POST ${path}`,
      async run(target) {
        const text = JSON.stringify(target.checkoutMessage(change))
        const sent = typeof body === 'string' ? body : body(text)
        const exchange = await target.call(path, { method: 'POST', body: sent })
        const fault = isShapeless ? 'a failure for a body that is not a message' : `hostile input: ${name}`
        await asFault(fault, () => check(exchange))
      },
    }
  }),
)

const insides =
  /\bat \S+ \(.*:\d+:\d+\)|Traceback \(most recent|Stack trace:|\/(home|var|usr|srv)\/\S+|node_modules|on line <?b?>?\d+/

const table = `
hostile-unknown-path | should | An unknown path is answered with 404 | Answer 404 for paths that the contract does not have.
hostile-wrong-method | should | A GET in place of a POST is refused | Answer 405, or 404.
hostile-start-without-order | should | The start of a payment without an order is refused | Answer 4xx, and start nothing.
hostile-redirect-script | should | A redirect_url that is a script is refused
  | The page of the provider would run the script of an attacker. | Take http and https addresses only, and answer 4xx for others.
hostile-no-insides | should | Errors show no internals
  | Attackers read error pages first. | Answer errors with a code and a sentence; keep stacks and paths in the log.
hostile-values-not-repeated | should | Errors do not repeat what the customer typed
  | Personal data ends up in the logs of the platform. | Name the path of a fault, not its value.
`

/** Input that no real caller sends: answered as the caller's fault, without breaking anything (spec 4.3). */
export const hostileInputCases = [
  ...inputCases,
  ...casesOf({ ...shared, platform }, table, {
    async 'hostile-unknown-path'(target) {
      const exchange = await target.call('no_such_thing', { json: {} })
      exchange.must(exchange.status === 404, 'status 404', exchange.said)
    },
    async 'hostile-wrong-method'(target) {
      for (const { path } of lists) (await target.call(path, { method: 'GET' })).mustBeRefused()
    },
    'hostile-start-without-order': {
      about: 'payments',
      async run(target) {
        const { order: _, ...json } = await target.paymentMessage()
        const exchange = await target.call('payment', { json })
        exchange.mustBeRefused()
      },
    },
    'hostile-redirect-script': {
      about: 'payments',
      async run(target) {
        const json = { ...(await target.paymentMessage()), redirect_url: 'javascript:alert(1)' }
        const exchange = await target.call('payment', { json })
        exchange.mustBeRefused()
      },
    },
    async 'hostile-no-insides'(target) {
      for (const sent of [{ body: '{"a"' }, { json: { shop: 7 } }]) {
        for (const path of ['shipment_methods', 'payment_methods', 'payment']) {
          const exchange = await target.call(path, sent)
          const [found] = insides.exec(exchange.text) ?? []
          exchange.must(found === undefined, 'no stack and no path', shown(found))
        }
      }
    },
    async 'hostile-values-not-repeated'(target) {
      const json = target.checkoutMessage(set({ quote: 'secret-of-the-customer' }))
      for (const { path } of lists) {
        const exchange = await target.call(path, { json })
        exchange.must(!exchange.text.includes('secret-of-the-customer'), 'no value', 'the value')
      }
    },
  }),
]
