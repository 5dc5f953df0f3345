import { createProvider, memoryStore } from 'purveyor'
import { expect, test } from 'vitest'

const rates = { name: 'courier', quote: () => [] }
const psp = { name: 'psp', methods: () => [], start: () => ({ later: true }) }

const made = (options: object) => () => createProvider({ store: memoryStore(), ...options })

test.each([
  ['customer.emial', 'is "customer.emial", and there is no such field: did you mean customer.email?'],
  ['shippingaddress.zipcode', 'did you mean shipping_address.zipcode?'],
  ['email', 'did you mean customer.email?'],
  ['address.city', 'did you mean shipping_address.city?'],
  ['customer.password', 'is "customer.password", and there is no such field'],
  ['customer.constructor', 'is "customer.constructor", and there is no such field'],
  ['customer', 'a need looks like "customer.email"'],
  [7, 'is "7", and there is no such field'],
])('the need %j is refused with the nearest right one', (need, words) => {
  expect(made({ rates: { ...rates, needs: [need] } })).toThrow(words)
  expect(made({ payments: { ...psp, needs: [need] } })).toThrow(words)
})

test('needs that are no list are refused', () => {
  expect(made({ rates: { ...rates, needs: 'customer.email' } })).toThrow('needs of "courier" must be a list')
})

test.each([
  ...['statuss status', 'stauts status', 'Status status', 'notifications push', 'pushes push', 'onPush push'],
  ...['cancle cancel', 'setings settings', 'pages page', 'developmentonly developmentOnly'],
])('a member of a payment adapter is refused for the one that was meant: %s', (words) => {
  const [member = '', meant] = words.split(' ')
  const says = `payments: adapter "psp" has no member ${member}: did you mean ${meant}?`
  expect(made({ payments: { ...psp, [member]: () => ({}) } })).toThrow(says)
})

test.each(['estimates estimate', 'prepares prepare', 'need needs', 'cahce cache'])(
  'a member of a rate adapter is refused for the one that was meant: %s',
  (words) => {
    const [member = '', meant] = words.split(' ')
    const says = `rates: adapter "courier" has no member ${member}: did you mean ${meant}?`
    expect(made({ rates: { ...rates, [member]: [] } })).toThrow(says)
  },
)

test('a mistyped member that is required is one fault', () => {
  expect(made({ rates: { name: 'courier', qoute: () => [] } as never })).toThrow(
    /^The configuration has a problem:\n {2}- rates: adapter "courier" has no member qoute: .*$/,
  )
})

const ofPsp = (more: object) => ({ payments: { ...psp, ...more } })
const facts = { productFacts: { files: 'facts.csv' } }
test.each<[object, string]>([
  [{ rates: { ...rates, fallback: { name: 'own' } } }, 'rates: quote of "own" is missing'],
  [{ rates: { ...rates, fallback: 'own' } }, 'rates: fallback of "courier" must be an adapter'],
  [{ rates: { ...rates, fallback: null } }, 'rates: fallback of "courier" must be an adapter'],
  [ofPsp({ push: null }), 'payments: push of "psp" must be an object'],
  [ofPsp({ returned: null }), 'payments: returned of "psp" must be an object'],
  [ofPsp({ push: { read: () => [], confirm: 'ask' } }), `payments: push.confirm of "psp" must be 'status'`],
  [{ rates: { adapters: rates, ...facts } }, 'rates.productFacts.files is not an option: did you mean file?'],
  [{ rates: psp }, 'rates: "psp" is a payment adapter: put it under payments'],
  [{ payments: { adapters: [psp, rates] } }, 'payments: "courier" is a rate adapter: put it under rates'],
])('%o is one fault', (options, words) => {
  const message = `The configuration has a problem:\n  - ${words}`
  expect(made(options)).toThrow(expect.objectContaining({ message }))
})

test('a mistyped member of a push, of a page and of a cache is refused too', () => {
  const push = { verfy: () => true, read: () => [] }
  const verify = 'adapter "psp" has no member push.verfy: did you mean push.verify?'
  expect(made({ payments: { ...psp, push } })).toThrow(verify)
  const page = { render: () => '', submitt: () => ({ status: 'pending' }) }
  expect(made({ payments: { ...psp, page } })).toThrow(
    'has no member page.submitt: did you mean page.submit?',
  )
  const cache = { ttl: 1000, stalefor: 1000 }
  expect(made({ rates: { ...rates, cache } })).toThrow(
    'cache.stalefor of "courier" is not an option: did you',
  )
})

test('an adapter may have members of its own', () => {
  const own = { kind: 'courier', state: new Map(), node: 1, tariff: [], notifications: [], _needs: 1 }
  expect(made({ rates: { ...rates, ...own, need: [], needs: [] } })).not.toThrow()
  const { notifications, ...others } = own
  expect(made({ payments: { ...psp, ...others } })).not.toThrow()
})

class Own {
  readonly client = new Map()
  readonly read = () => []
  readonly render = () => ''
  verify() {
    return this.client.size > 0
  }
}

test('so may its push, its return and its page, also where they are of a class', () => {
  for (const part of ['push', 'returned', 'page'])
    expect(made({ payments: { ...psp, [part]: new Own() } })).not.toThrow()
})

class Courier {
  readonly name = 'courier'
  quote() {
    return []
  }
  helper() {}
}
class Mistyped extends Courier {
  estmate() {}
  cancle() {}
}

test('a mistyped method of a class is refused as well', () => {
  expect(made({ rates: new Courier() })).not.toThrow()
  expect(made({ rates: new Mistyped() })).toThrow('"courier" has no member estmate: did you mean estimate?')
  const bank = Object.assign(new Mistyped(), { ...psp })
  expect(made({ payments: bank })).toThrow('"psp" has no member cancle: did you mean cancel?')
})

test.each<[string, unknown, string]>([
  ['mode', 'liv', "mode of \"psp\" must be 'live', 'test' or a function"],
  ['idempotency', { ttl: -1 }, 'idempotency.ttl of "psp" must be above 0'],
  ['idempotency', 5, 'idempotency of "psp" must be an object such as { ttl: 86_400_000 }'],
  ['status', 'paid', 'status of "psp" must be a function'],
  ['page', { render: () => '', submit: 'x' }, 'page.submit of "psp" must be a function'],
  ['page', { render: () => '', follows: 1 }, 'page.follows of "psp" must be true or false'],
  ['page', { render: () => '', follows: true }, 'page.follows of "psp" needs status()'],
  ['authorisedIsPaid', 'false', 'authorisedIsPaid of "psp" must be true or false'],
  ...['100%', '-0.50', 0.5, {}].map((value): [string, unknown, string] => [
    ...(['underpaidBy', value] as const),
    `underpaidBy of "psp" must be an amount of 0 or more as text, such as '0.50', or a function`,
  ]),
  ['startsAtZero', 1, 'startsAtZero of "psp" must be true or false'],
  ['settings', { key: 'text' }, 'settings of "psp" must be a schema of zod'],
  ['privacy', 'Courier Ltd', 'privacy of "psp" must be an object'],
  ['privacy', { purpos: 'parcels' }, 'privacy.purpos of "psp" is not an option: did you mean purpose?'],
])('the value of %s is checked: %j', (member, value, words) => {
  expect(made({ payments: { ...psp, [member]: value } })).toThrow(`payments: ${words}`)
})
