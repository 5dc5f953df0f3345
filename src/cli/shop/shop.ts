import { jsonIn } from '../../contract/texts.ts'
import { hasCode } from '../../errors.ts'
import { counted } from '../../printable.ts'
import type { Provider } from '../../provider/provider.ts'
import type { HostsChange } from '../../store.ts'
import { systemUser } from '../serve/system-user.ts'
import { type Command, hours, ofShop, onProvider, parsed } from '../table.ts'
import { print, printTable, time } from '../terminal/print.ts'
import { readJsonFile, readText } from '../terminal/read-input.ts'
import { UsageError } from '../terminal/usage.ts'
import { hostsToClose, warnOfOpenHosts } from './ask-hosts.ts'
import { connect } from './connect.ts'
import { importShops } from './import.ts'
import { drift, lineOf, log } from './log.ts'
import { privacyMarkdown, privacyText } from './privacy.ts'

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
  async run({ shop: id, platformId, host, settings: file, json }, provider) {
    const settings = file === undefined ? undefined : readSettings(file)
    const hosts = await hostsToClose(provider, host, { json })
    const added = await provider.shops.add(id, { platformId, hosts, settings, by: systemUser() })
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
  async run({ shop: id, endpoint: reveal, webhookSecret, json }, { shops }, inspection) {
    const shop = await shops.show(id, { reveal, webhookSecret, by: systemUser() })
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
        ({ adapter, url, ofAllShops }) =>
          `  pushes       ${url}  for ${adapter}${ofAllShops ? ', of all shops' : ''}`,
      ),
      ...(shop.webhookSecrets ?? []).map((one) => `  webhooks     ${one.secret}  ${lasting(one)}`),
      shop.webhookSecrets !== undefined &&
        !signsWebhooks &&
        '  Webhooks are not signed yet: set payments.signWebhooks of createProvider',
    ])
  },
})

const hour = 3_600_000

const rotate = ofShop({
  description: 'create a new urlEndpoint; the old one stays valid for a while',
  examples: ['purveyor shop rotate bikes --overlap 24'],
  options: {
    '--webhook-secret': 'create a new webhook secret instead; both sign for a while',
    '--overlap <hours>': parsed('how long the old one stays valid; 0 ends it at once', hours, {
      default: 168,
    }),
  },
  async run({ shop: id, overlap, webhookSecret, json }, { shops }) {
    const change = { overlap: overlap * hour, by: systemUser() }
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
  async run({ shop: id, platformId, none, json }, { shops }) {
    if ((platformId === undefined) === (none !== true))
      throw new UsageError('Give --platform-id with the id of the shop at its platform, or --none.')
    await shops.bind(id, platformId ?? null, { by: systemUser() })
    print(json, { shop: id, platformId: platformId ?? null }, () =>
      platformId === undefined
        ? `Within five seconds the next valid POST that names a platform shop binds shop ${id}.`
        : `Within five seconds shop ${id} answers platform shop ${platformId} and no other.`,
    )
  },
})

const disable = ofShop({
  description: 'stop serving a shop: its endpoint answers 404',
  examples: ['purveyor shop disable bikes'],
  async run({ shop: id, json }, { shops }) {
    await shops.disable(id, { by: systemUser() })
    print(json, { shop: id, disabled: true }, () => [
      `Shop ${id} is disabled: within five seconds its endpoint answers 404.`,
      'Payments in progress continue. To serve it again: purveyor shop enable',
    ])
  },
})

const enable = ofShop({
  description: 'serve a disabled shop again',
  examples: ['purveyor shop enable bikes'],
  async run({ shop: id, json }, { shops }) {
    await shops.enable(id, { by: systemUser() })
    print(json, { shop: id, disabled: false }, () => `Shop ${id} is live.`)
  },
})

const remove = ofShop({
  description: 'remove a shop and all its data',
  examples: ['purveyor shop remove bikes'],
  options: { '--force': 'also if payments are in progress' },
  async run({ shop: id, force, json }, { shops }) {
    const removed = await shops.remove(id, { force, by: systemUser() })
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
  async run({ shop: id, order, force, json }, { shops }) {
    const erased = await shops.erase(id, order, { force, by: systemUser() })
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
    print(json, statement, () => (markdown ? privacyMarkdown(statement) : privacyText(statement)))
  },
})

const hostNames = { '<host...>': 'such as shop.example.com, or shop.example.com:8443' }

const listHosts = ofShop({
  description: 'list the hosts',
  examples: ['purveyor shop hosts list bikes'],
  run: ({ shop, json }, provider) => changeHosts(provider, shop, {}, json),
})

const confirmHosts = ofShop({
  description: 'close the list; every other host is refused',
  examples: ['purveyor shop hosts confirm bikes shop.bikes.example'],
  arguments: { '[host...]': 'the whole list; default: the hosts seen so far' },
  run: ({ shop, host, json }, provider) =>
    changeHosts(provider, shop, { add: host, only: host.length > 0, confirm: true }, json),
})

const addHosts = ofShop({
  description: 'add hosts',
  examples: ['purveyor shop hosts add bikes pay.bikes.example'],
  arguments: hostNames,
  run: ({ shop, host, json }, provider) => changeHosts(provider, shop, { add: host }, json),
})

const removeHosts = ofShop({
  description: 'remove hosts',
  examples: ['purveyor shop hosts remove bikes pay.bikes.example'],
  arguments: hostNames,
  run: ({ shop, host, json }, provider) => changeHosts(provider, shop, { remove: host }, json),
})

async function changeHosts(
  { shops }: Provider,
  id: string,
  hosts: HostsChange,
  json: boolean | undefined,
): Promise<void> {
  const now = await shops.changeHosts(id, hosts, { by: systemUser() })
  print(json, { shop: id, ...now }, () => [
    now.confirmed
      ? `Shop ${id} accepts these hosts only:`
      : `Shop ${id} accepts any public host. Seen so far:`,
    ...now.hosts.map((host) => `  ${host}`),
    now.hosts.length === 0 && '  none',
    !now.confirmed && `To close the list: purveyor shop hosts confirm ${id} <host...>`,
  ])
}

const hosts: Command = {
  description: 'manage the hosts allowed in webhook_url and redirect_url',
  commands: { list: listHosts, confirm: confirmHosts, add: addHosts, remove: removeHosts },
}

const readSettings = (file: string): unknown => readJsonFile(file, 'the settings')

const settings = ofShop({
  description: 'show the settings of a shop with secrets masked, replace them, or change some',
  examples: [
    'purveyor shop settings bikes --file bikes.json',
    'purveyor shop settings bikes --set psp.key=@key.txt',
  ],
  options: {
    '--file <settings>': 'replace them: JSON with units, fallback, adapters; - reads standard input',
    '--set <path=value...>': {
      description: 'change one, such as psp.key=@key.txt or units.weight=kg; null removes it',
      conflicts: ['file'],
    },
  },
  async run({ shop: id, file, set, json }, { shops }) {
    if (file === undefined && set === undefined) {
      const view = await shops.settings(id)
      return print(json, { shop: id, ...view }, () => [
        ...JSON.stringify(view.settings, undefined, 2).split('\n'),
        ...view.history.map(lineOf),
      ])
    }
    const by = systemUser()
    if (set === undefined) await shops.saveSettings(id, readSettings(file!), { by })
    else {
      const entries = set.map(entryOf)
      await shops.patchSettings(id, patchOf(entries), { by }).catch(async (error: unknown) => {
        if (!hasCode(error, 'SETTINGS_INVALID')) throw error
        const refused = error.faults.map(({ path = '' }) => path)
        await shops.patchSettings(id, patchOf(entries, refused), { by }).catch(() => {
          throw error
        })
      })
    }
    const { settings: names } = await shops.show(id)
    const text = `Shop ${id} has ${names.join(', ') || 'nothing set'}.`
    print(json, { shop: id, settings: names }, () => text)
  },
})

const parts = ['units', 'fallback', 'adapters', 'credentials', 'productFacts', 'brand']

/** A setting: digits are a number or a text, whichever its adapter takes. */
interface Entry {
  names: string[]
  value: unknown
  /** The other meaning of digits. */
  other?: unknown
}

/** Reads `psp.key=@key.txt` and the like. A path begins with the name of an adapter, or with a part of the settings. */
function entryOf(given: string): Entry {
  const at = given.indexOf('=')
  const path = given.slice(0, Math.max(0, at)).split('.')
  if (path.includes(''))
    throw new UsageError('--set takes a path and a value, such as psp.key=@key.txt or units.weight=kg.')
  const names = parts.includes(path[0]!) ? path : ['adapters', ...path]
  const text = given.slice(at + 1)
  if (text.startsWith('@'))
    return {
      names,
      value: readText(text.slice(1), 'Name one with the value, or - for standard input.').trim(),
    }
  const value = jsonIn(text)
  if (typeof value !== 'number') return { names, value: value === undefined ? text : value }
  // As a number 0.70 loses its zero, and an id its last digits.
  const isWhole = JSON.stringify(value) === text
  return isWhole ? { names, value, other: text } : { names, value: text, other: value }
}

/** The change of all entries. `refused` are the paths whose first meaning their adapters do not take. */
function patchOf(entries: readonly Entry[], refused: readonly string[] = []): object {
  const patch = Object.create(null)
  for (const { names, value, other } of entries) {
    let place = patch
    for (const name of names.slice(0, -1)) place = place[name] ??= Object.create(null)
    place[names.at(-1)!] = refused.includes(names.join('.')) ? (other ?? value) : value
  }
  return patch
}

export const command: Command = {
  description: 'manage the shops that the provider serves',
  commands: {
    ...{ add, import: importShops, list, show, rotate, log, drift, bind, settings, disable, enable, remove },
    ...{ privacy, erase, connect, hosts },
  },
}
