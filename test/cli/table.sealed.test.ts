import { beforeAll, expect, test } from 'vitest'
import { openState } from '../../src/payments/pages/page-state.ts'
import { ContentSeal, developmentSecret, pageKeyRow } from '../../src/shops/seal.ts'
import { seal } from '../../src/stores/seal.ts'
import { fileWith } from '../folder.ts'
import { payment } from '../http/messages.ts'
import { paymentUrl, postForm, postJson } from '../http/post.ts'
import { type Commands, commandsIn, folderWith, inStore, running, serving } from './command.ts'
import { commandNames, loadCommands } from './command-names.ts'

/** A payment service whose payments each keep data, of a shop with settings of its own. */
const source = `import { createProvider, price, z } from 'purveyor'

const method = { id: 'door', title: 'At your door', ...price({ excl: '5.00', taxRate: '0.21', currency: 'eur' }) }
const known = ({ data }) => {
  if (data?.secret !== 'of the service') throw new Error('without its data')
}
export default createProvider({
  rates: { name: 'carrier', quote: () => [method], estimate: () => [method] },
  payments: {
    name: 'psp',
    settings: z.object({ key: z.string().default('none') }),
    methods: () => [{ id: 'card', title: 'Card' }],
    start({ orderId, amount, currency }, ctx) {
      if (orderId === '1') console.error('push address ' + ctx.pushUrl)
      if (orderId !== '3') setTimeout(() => ctx.report({ status: orderId === '1' ? 'paid' : 'authorised', amount, currency }))
      return { page: true, reference: 'tr_' + orderId, data: { secret: 'of the service' } }
    },
    status(attempt) {
      known(attempt)
      return { status: 'pending' }
    },
    push: { confirm: 'status', read: ({ body }) => ({ reference: body.toString() }) },
    page: {
      render: ({ form }) => form().whole({ button: 'pay', parts: [form().field({ name: 'name', kind: 'name' })] }),
      submit: ({ name }) => ({ again: name + ' has no account' }),
    },
    refund(attempt, { amount, currency }) {
      known(attempt)
      return { status: 'refunded', event: 're_1', amount, currency }
    },
    capture(attempt, { amount, currency }) {
      known(attempt)
      return { status: 'paid', event: 'ca_1', amount, currency }
    },
  },
})
`
const settings = { adapters: { psp: { key: 'k'.repeat(20) } } }
const credentials = { language: 'nl', key: 'k', secret: 's' }
const tariff = 'id,title,country,price_excl,tax_rate,currency\ndoor,Door,nl,5.00,0.21,eur\n'

let cwd: string
let run: Commands
let endpoint: string
let url: string

beforeAll(async () => {
  const files = { 'tariff.csv': tariff, 'shops.csv': 'shop\nred\n', 'bikes.json': settings }
  cwd = folderWith({ 'provider.ts': source, ...files })
  run = commandsIn(cwd, { NODE_ENV: 'development' })
  const { ready, output } = serving(cwd)
  ;({ endpoint, url } = await ready)
  for (const id of [1, 2]) await paymentUrl(endpoint, payment({ id }))
  const page = await paymentUrl(endpoint, payment({ id: 3 }))
  expect((await postForm(page, { name: 'Jane Doe' }, { origin: url })).status).toBe(303)
  const [, pushUrl = ''] = /^push address (\S+)$/m.exec(output.stderr) ?? []
  await postJson(pushUrl, 'tr_elsewhere')
  // A platform that answers 404 at once.
  const connected = { ...settings, credentials: { ...credentials, baseUrl: url } }
  await run('shop add bikes --settings', fileWith('new.json', JSON.stringify(connected)))
}, 300_000)

/** The text that the store has of the page of an order's attempt. */
const pageOf = (order: string): Promise<string> =>
  inStore(cwd, async (store) => {
    const key = seal(developmentSecret).open((await store.key(pageKeyRow.key))!, pageKeyRow)
    const [attempt] = (await store.payment('default', order))!.attempts
    return JSON.stringify(openState(new ContentSeal(key), attempt!))
  })

/** As printed, or as a member of a log line. */
const stack = /(?:^|\\n) +at .+:\d+/m
const goesOn = ['console', 'dev', 'sandbox', 'serve']

/** The words behind each command, in the order in which they run. A function is called then. */
const calls: Record<string, string | (() => Promise<string> | string)> = {
  'payments list': '',
  'payments find': 'tr_1',
  'payments show': '1',
  'payments ask': '3',
  'payments explain': '--shop default',
  'payments refund': '1 --amount 1.00',
  'payments capture': '2 --amount 1.00',
  'payments report': '3 cancelled',
  'payments changes': '',
  'payments export': '--since 1d',
  'payments anomalies': '--each',
  'payments close-anomalies': '--kind start_unknown --note looked_up',
  'payments close-anomaly': '0a1b2c3d4e --note looked_up',
  'console link': '--name mila --role support',
  'console sign-out': '--name mila',
  'webhooks list': '--since 1d',
  'webhooks show': '1',
  'webhooks replay': '1',
  'pushes list': '',
  'pushes refused': '',
  'pushes show': async () => (await run.json('pushes list'))[0].push,
  'lanes list': '',
  'lanes show': 'webhook default shop.example',
  'lanes open': 'webhook default shop.example',
  'shop list': '',
  'shop show': 'bikes --endpoint --webhook-secret',
  'shop add': 'bells',
  'shop import': 'shops.csv --dry-run',
  'shop rotate': 'bikes',
  'shop log': 'bikes',
  'shop drift': 'bikes',
  'shop bind': 'bikes --none',
  'shop settings': 'bikes --file bikes.json',
  'shop privacy': 'bikes',
  'shop connect': 'bikes --no-check',
  'shop hosts list': 'bikes',
  'shop hosts add': 'bikes pay.bikes.example',
  'shop hosts confirm': 'bikes shop.bikes.example',
  'shop hosts remove': 'bikes pay.bikes.example',
  'services list': 'bikes',
  'services register': 'bikes --name Courier --dry-run',
  'services update': 'bikes 17 --name Courier',
  'services disable': 'bikes 17',
  'services remove': 'bikes 17 --yes',
  'charges list': 'bikes',
  'charges create':
    'bikes --type onetime --title Plus --price 9.95 --callback-url https://provider.example/a',
  'charges show': 'bikes 5',
  'charges remove': 'bikes 5 --yes',
  'shop erase': 'default --order 2 --force',
  'shop disable': 'bikes',
  'shop enable': 'bikes',
  'shop remove': 'bikes --force',
  'nodes list': '',
  doctor: '--shop default',
  'db migrate': '',
  'db backup': 'copy.db',
  'db copy': '--from sqlite:./data/purveyor.db --to sqlite:./other.db',
  'db release': '--from sqlite:./data/purveyor.db --to sqlite:./other.db',
  'db prune': '--older-than 730 --dry-run',
  check: () => `${endpoint} --read-only`,
  'rates lint': 'tariff.csv',
  'rates preview': 'tariff.csv --weights 1',
  'rates diff': 'tariff.csv tariff.csv',
  'rates explain': '',
  'sandbox switches': '',
  'sandbox clock': '2h',
  'simulate list': '',
  'simulate run': 'paid',
  'simulate order': '',
  'simulate replay': 'calls',
  init: 'other --yes --no-install',
  docs: 'seal',
  explain: 'HOST_NOT_ALLOWED',
  openapi: '',
  completion: 'bash',
}

test('every command of the table is called beside a provider', async () => {
  const commands = await loadCommands()
  const runnable = (await commandNames()).filter(([first = '', ...rest]) => {
    let command = commands[first]
    for (const word of rest) command = command?.commands?.[word]
    return command?.run
  })
  expect([...Object.keys(calls), ...goesOn].sort()).toEqual(runnable.map((path) => path.join(' ')).sort())
})

test('no command on a store with sealed data ends with a stack', async () => {
  expect(await pageOf('3')).toContain('Jane Doe')
  const ends: Record<string, { code: number | null; out: string; err: string }> = {}
  for (const [name, given] of Object.entries(calls)) {
    const words = typeof given === 'function' ? await given() : given
    ends[name] = await run(`${name} ${words}`.trim())
  }
  for (const name of goesOn) {
    const line = name === 'serve' ? 'serve --development' : name
    const { ready, ended, output, child } = running(`${line} --port 0 --json`, { cwd })
    await ready
    child.kill()
    const [code] = await ended
    ends[name] = { code, out: output.stdout, err: output.stderr }
  }
  const stacks = Object.entries(ends).filter(([, { out, err }]) => stack.test(out) || stack.test(err))
  expect(stacks).toEqual([])
  for (const name of ['ask', 'refund', 'capture', 'report'])
    expect(ends[`payments ${name}`]).toMatchObject({ code: 0 })
  expect(await pageOf('3')).not.toContain('Jane Doe')
})
