import type { Message } from '../../messages/exact.ts'
import { lists } from '../answers.ts'
import { casesOf, set } from '../case.ts'
import { asFault, type Exchange, shown } from '../exchange.ts'
import type { Target } from '../target.ts'

const shared = { topic: 'hostile input', section: 'spec 4.3', about: 'either' } as const
const platform =
  'A platform never sends this, but anyone on the internet may: a failure affects all shops, and shows internals to strangers.'

/** The message of a checkout, or what `body` says: another text, or what it makes of this one. */
interface Input {
  title: string
  remedy: string
  /** Refused with 4xx, or answered without failing. Default: the latter. */
  check?: (exchange: Exchange) => void
  change?: (message: Message) => unknown
  body?: string | ((text: string) => string)
  /** Whether it has another shape than a message. A failure over one is a failure over all of these. */
  isShapeless?: true
}

const noMessage = (title: string, body: string, remedy = 'Answer 400.'): Input => ({
  title,
  remedy,
  isShapeless: true,
  check: (exchange) => exchange.mustBeRefused('a success for a body that is not a message'),
  body,
})
const notAnObject = 'Answer 4xx: every message is an object.'

const inputs: Record<string, Input> = {
  'no-body': noMessage('A POST without a body', ''),
  'half-json': noMessage('Half a JSON body', '{"shop": {"id": 1, "quote"'),
  text: noMessage('A body that is text', 'hello'),
  list: noMessage('A body that is a list', '[1, 2, 3]', notAnObject),
  null: noMessage('A body that is null', 'null', notAnObject),
  'empty-object': {
    title: 'An empty object',
    isShapeless: true,
    remedy: 'Answer 4xx, or an empty list.',
    body: '{}',
  },
  'wrong-types': {
    title: 'Objects where text belongs, and text where objects belong',
    isShapeless: true,
    remedy: 'Check the shape of a message before using it.',
    change: set({ shop: 'shop', quote: [], customer: 7, shipping_address: 'here' }),
  },
  deep: {
    title: 'A body that nests 5,000 levels',
    isShapeless: true,
    remedy: 'Limit the depth of what you parse, and answer 4xx.',
    body: `{"quote": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
  },
  large: {
    title: 'A body of one megabyte',
    remedy: 'Limit the size of bodies, such as to 1 MiB, and answer 413.',
    change: set({ padding: 'x'.repeat(1024 * 1024) }),
  },
  prototype: {
    title: 'Keys that reach into prototypes',
    remedy: 'Drop __proto__, constructor and prototype while reading.',
    body: (text) =>
      `{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}},${text.slice(1)}`,
  },
  'huge-numbers': {
    title: 'Numbers that are larger than any price',
    remedy: 'Refuse what is not finite, and whole numbers that are not exact.',
    body: (text) => text.replaceAll(/36\.3|3630/g, '1e400').replaceAll('1200', '1e309'),
  },
  'negative-prices': {
    title: 'Prices and weights below 0',
    remedy: 'Treat them as 0, or refuse them with 4xx.',
    change: set({ price_incl: -36.3, price_excl: -30, weight: -1, volume: -1 }, 'quote'),
  },
  'control-characters': {
    title: 'Text with control characters and halves of characters',
    remedy: 'Read text as it comes, and keep it out of headers and logs.',
    change: set({ city: 'A\u0000B\r\nX: y', address1: '\ud800' }, 'shipping_address'),
  },
  'many-products': {
    title: 'A quote of 2,000 products',
    remedy: 'Answer it within seconds, or refuse it with 413.',
    change({ quote }) {
      const [{ product_id }] = quote.products
      quote.products = Array.from({ length: 2_000 }, () => ({ product_id, title: 'x' }))
    },
  },
  markup: {
    title: 'Markup in the names of the customer',
    remedy: 'Escape whatever you show of a message.',
    check(exchange) {
      exchange.mustNotFail()
      exchange.must(!exchange.text.includes('<script>alert'), 'no markup in the answer', 'the markup')
    },
    change: set({ firstname: '<script>alert(1)</script>' }, 'customer'),
  },
}

const inputCases = lists.flatMap(({ about, path }) =>
  Object.entries(inputs).map(([name, { title, remedy, isShapeless, ...input }]) => [
    `hostile-${name}-to-${path.replace('_', '-')}`,
    {
      should: `${title} breaks nothing in POST ${path}`,
      about,
      platform,
      remedy,
      async run(target: Target) {
        const { check = (answer: Exchange) => answer.mustNotFail(), change, body = (text) => text } = input
        const text = JSON.stringify(target.checkoutMessage(change))
        const sent = typeof body === 'string' ? body : body(text)
        const exchange = await target.call(path, { method: 'POST', body: sent })
        const fault = isShapeless ? 'a failure for a body that is not a message' : `hostile input: ${name}`
        await asFault(fault, () => check(exchange))
      },
    },
  ]),
)

const insides =
  /\bat \S+ \(.*:\d+:\d+\)|Traceback \(most recent|Stack trace:|\/(home|var|usr|srv)\/\S+|node_modules|on line <?b?>?\d+/

/** Input that no real caller sends: answered as the caller's fault, without breaking anything (spec 4.3). */
export const hostileInputCases = casesOf(shared, {
  ...Object.fromEntries(inputCases),
  'hostile-unknown-path': {
    should: 'An unknown path is answered with 404',
    platform,
    remedy: 'Answer 404 for paths that the contract does not have.',
    async run(target) {
      const exchange = await target.call('no_such_thing', { json: {} })
      exchange.must(exchange.status === 404, 'status 404', exchange.said)
    },
  },
  'hostile-wrong-method': {
    should: 'A GET in place of a POST is refused',
    platform,
    remedy: 'Answer 405, or 404.',
    async run(target) {
      for (const { path } of lists) (await target.call(path, { method: 'GET' })).mustBeRefused()
    },
  },
  'hostile-start-without-order': {
    should: 'The start of a payment without an order is refused',
    about: 'payments',
    platform,
    remedy: 'Answer 4xx, and start nothing.',
    async run(target) {
      const { order: _, ...json } = await target.paymentMessage()
      const exchange = await target.call('payment', { json })
      exchange.mustBeRefused()
    },
  },
  'hostile-redirect-script': {
    should: 'A redirect_url that is a script is refused',
    about: 'payments',
    platform: 'The page of the provider would run the script of an attacker.',
    remedy: 'Take http and https addresses only, and answer 4xx for others.',
    async run(target) {
      const json = { ...(await target.paymentMessage()), redirect_url: 'javascript:alert(1)' }
      const exchange = await target.call('payment', { json })
      exchange.mustBeRefused()
    },
  },
  'hostile-no-insides': {
    should: 'Errors show no internals',
    platform: 'Attackers read error pages first.',
    remedy: 'Answer errors with a code and a sentence; keep stacks and paths in the log.',
    async run(target) {
      for (const sent of [{ body: '{"a"' }, { json: { shop: 7 } }]) {
        for (const path of ['shipment_methods', 'payment_methods', 'payment']) {
          const exchange = await target.call(path, sent)
          const [found] = insides.exec(exchange.text) ?? []
          exchange.must(found === undefined, 'no stack and no path', shown(found))
        }
      }
    },
  },
  'hostile-values-not-repeated': {
    should: 'Errors do not repeat what the customer typed',
    platform: 'Personal data ends up in the logs of the platform.',
    remedy: 'Name the path of a fault, not its value.',
    async run(target) {
      const json = target.checkoutMessage(set({ quote: 'secret-of-the-customer' }))
      for (const { path } of lists) {
        const exchange = await target.call(path, { json })
        exchange.must(!exchange.text.includes('secret-of-the-customer'), 'no value', 'the value')
      }
    },
  },
})
