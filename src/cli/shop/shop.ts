import { counted } from '../../printable.ts'
import { group, numberOf, ofShop, onProvider, parsed } from '../table.ts'
import { print, printTable, time } from '../terminal/print.ts'
import { readJsonFile } from '../terminal/read-input.ts'
import { UsageError } from '../terminal/usage.ts'
import { hosts, warnOfOpenHosts } from './hosts.ts'
import { importShops } from './import.ts'
import { drift, log } from './log.ts'
import { privacyLines } from './privacy.ts'
import { connect, settings } from './settings.ts'

const add = ofShop({
  description: 'add a shop and print its urlEndpoint',
  examples: [
    'purveyor shop add bikes --host shop.bikes.example',
    'purveyor shop add bikes --settings bikes.json',
  ],
  options: {
    '--platform-id <id>': "the platform's id of the shop; default: the first one that a valid POST names",
    '--host <name...>': 'the only hosts allowed in webhook_url and redirect_url',
    '--settings <file>': 'JSON: units, fallback, adapters, credentials; - reads standard input',
  },
  async run({ shop: id, platformId, host, settings: file, json, by }, provider) {
    const settings = file === undefined ? undefined : readJsonFile(file, 'the settings')
    const added = await provider.shops.add(id, { platformId, hosts: host, settings, by })
    const { shop, endpoint } = added
    print(json, { shop, endpoint }, () => [
      `Shop ${shop} is added. Register this urlEndpoint with the shop:`,
      `  ${endpoint}`,
    ])
    await warnOfOpenHosts(provider, shop)
  },
})

const list = onProvider({
  description: 'list the shops',
  examples: ['purveyor shop list'],
  async run({ json }, { shops }) {
    const found = await shops.list()
    printTable(json, found, 'There are no shops yet. The first start adds one, or: purveyor shop add <id>', {
      shop: 'id',
      'platform id': ({ platformId }) => platformId ?? 'not seen yet',
      state: ({ disabled }) => (disabled ? 'disabled' : 'live'),
      hosts: ({ hosts, hostsConfirmed }) =>
        hostsConfirmed ? `${hosts.length} allowed` : `any, ${hosts.length} seen`,
      endpoints: ({ endpoints }) =>
        endpoints.length === 2 ? `2, the older one until ${time(endpoints[1]!.expiresAt!)}` : '1',
    })
  },
})

const show = ofShop({
  description: 'show one shop',
  examples: ['purveyor shop show bikes --endpoint'],
  options: {
    '--endpoint': 'also print its addresses, which are secrets',
    '--webhook-secret': 'also print the secret that signs its webhooks',
  },
  async run({ shop: id, endpoint: reveal, webhookSecret, json, by }, { shops }, inspection) {
    const shop = await shops.show(id, { reveal, webhookSecret, by })
    const { signsWebhooks } = inspection().describe()
    const lasting = ({ createdAt, expiresAt }: { createdAt: number; expiresAt?: number | undefined }) =>
      `since ${time(createdAt)}${expiresAt === undefined ? '' : `, until ${time(expiresAt)}`}`
    print(json, shop, () => [
      `Shop ${shop.id}, ${shop.disabled ? 'disabled' : 'live'}`,
      `  platform id  ${shop.platformId ?? 'the first one that a POST names'}`,
      `  hosts        ${shop.hostsConfirmed ? 'only' : 'any; seen so far:'} ${shop.hosts.join(', ') || 'none'}`,
      `  settings     ${shop.settings.join(', ') || 'none'}`,
      ...shop.endpoints.map(
        (one) => `  endpoint     ${one.url ?? '(shown with --endpoint)'}  ${lasting(one)}`,
      ),
      shop.resourceAddress !== undefined && `  events       ${shop.resourceAddress}  of orders and shipments`,
      ...(shop.pushAddresses ?? []).map(
        (one) => `  pushes       ${one.url}  for ${one.adapter}${one.ofAllShops ? ', of all shops' : ''}`,
      ),
      ...(shop.webhookSecrets ?? []).map((one) => `  webhooks     ${one.secret}  ${lasting(one)}`),
      shop.webhookSecrets !== undefined &&
        !signsWebhooks &&
        '  Webhooks are not signed yet: set payments.signWebhooks of createProvider',
    ])
  },
})

const week = { default: 168 }
const hours = numberOf('Write a whole number of hours, 0 or more.', /^\d{1,4}$/)

const rotate = ofShop({
  description: 'create a new urlEndpoint; the old one stays valid for a while',
  examples: ['purveyor shop rotate bikes --overlap 24'],
  options: {
    '--webhook-secret': 'create a new webhook secret instead; both sign for a while',
    '--overlap <hours>': parsed('how long the old one stays valid; 0 ends it at once', hours, week),
  },
  async run({ shop: id, overlap, webhookSecret, json, by }, { shops }) {
    const change = { overlap: overlap * 3_600_000, by }
    const over = 'The old one no longer works.'
    if (webhookSecret) {
      const { secret, oldEndsAt } = await shops.rotateWebhookSecret(id, change)
      return print(json, { shop: id, webhookSecret: secret, oldEndsAt }, () => [
        `Give this secret to the receiver of shop ${id}'s webhooks:`,
        `  ${secret}`,
        overlap === 0 ? over : `Both secrets sign until ${time(oldEndsAt)}.`,
      ])
    }
    const rotated = await shops.rotate(id, change)
    print(json, { shop: id, ...rotated }, () => [
      `Register this urlEndpoint with shop ${id} instead of the old one:`,
      `  ${rotated.endpoint}`,
      overlap === 0 ? over : `The old one works until ${time(rotated.oldEndsAt)}.`,
    ])
  },
})

/** Every process applies the new binding within five seconds. */
const bind = ofShop({
  description: 'bind the endpoints of a shop to one shop of the platform',
  examples: ['purveyor shop bind bikes --platform-id 4711', 'purveyor shop bind bikes --none'],
  options: {
    '--platform-id <id>': "the platform's id of the shop",
    '--none': 'unbind; the next valid POST that names a shop binds it',
  },
  async run({ shop: id, platformId, none, json, by }, { shops }) {
    if ((platformId === undefined) === (none !== true))
      throw new UsageError('Give --platform-id with the id of the shop at its platform, or --none.')
    await shops.bind(id, platformId ?? null, { by })
    print(json, { shop: id, platformId: platformId ?? null }, () =>
      platformId === undefined
        ? `Within five seconds the next valid POST that names a platform shop binds shop ${id}.`
        : `Within five seconds shop ${id} answers platform shop ${platformId} and no other.`,
    )
  },
})

const switching = (verb: 'enable' | 'disable', description: string, became: string, ...more: string[]) =>
  ofShop({
    description,
    examples: [`purveyor shop ${verb} bikes`],
    async run({ shop, json, by }, { shops }) {
      await shops[verb](shop, { by })
      print(json, { shop, disabled: verb === 'disable' }, () => [`Shop ${shop} is ${became}`, ...more])
    },
  })
const enable = switching('enable', 'serve a disabled shop again', 'live.')
const disable = switching(
  'disable',
  'stop serving a shop: its endpoint answers 404',
  'disabled: within five seconds its endpoint answers 404.',
  'Payments in progress continue. To serve it again: purveyor shop enable',
)

const remove = ofShop({
  description: 'remove a shop and all its data',
  examples: ['purveyor shop remove bikes'],
  options: { '--force': 'also if payments are in progress' },
  async run({ shop: id, force, json, by }, { shops }) {
    const removed = await shops.remove(id, { force, by })
    const { shop, owed, open } = removed
    print(json, { removed: true, ...removed }, () => [
      `Shop ${shop} and its data are removed. Its audit trail stays: purveyor shop log ${shop}`,
      owed > 0 && `${counted(owed, 'webhook')} to it will not be delivered.`,
      open.length > 0 &&
        'These payments may still be paid. Purveyor no longer sees them; check each at its payment service:',
      ...open.map(
        ({ adapter, reference = 'no reference', orderId, id: attempt, amount, currency }) =>
          `  ${adapter} ${reference}: ${amount} ${currency}, order ${orderId}, attempt ${attempt}`,
      ),
    ])
  },
})

const erase = ofShop({
  description: 'erase all data of an order',
  examples: ['purveyor shop erase bikes --order 1043'],
  options: {
    '--order <id>': { description: 'the id of the order', required: true },
    '--force': 'also if its payment is in progress',
  },
  async run({ shop: id, order, force, json, by }, { shops }) {
    const erased = await shops.erase(id, order, { force, by })
    if (!erased)
      throw new UsageError(`Shop ${id} has no payment for order ${order}. See: purveyor payments list`)
    print(json, { shop: id, order, erased }, () => `All data of order ${order} is erased.`)
  },
})

const privacy = ofShop({
  description: "print the statement on this provider for the shop's privacy policy",
  examples: ['purveyor shop privacy bikes --markdown'],
  options: { '--markdown': 'print Markdown' },
  async run({ shop: id, markdown, json }, { shops }) {
    const statement = await shops.privacy(id)
    print(json, statement, () => privacyLines(statement, markdown))
  },
})

export const command = group('manage the shops that the provider serves', {
  ...{ add, import: importShops, list, show, rotate, log, drift, bind, settings, disable, enable, remove },
  ...{ privacy, erase, connect, hosts },
})
