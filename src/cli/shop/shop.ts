import { readFileSync } from 'node:fs'
import { jsonIn } from '../../contract/json.ts'
import type { PlatformClient, PlatformOptions } from '../../platform/client.ts'
import { counted } from '../../printable.ts'
import { inspect } from '../../provider/inspection.ts'
import type { Provider } from '../../provider/provider.ts'
import { withoutUserInfo } from '../../shops/platform-address.ts'
import type { ShopView } from '../../use-cases/shops/shop-view.ts'
import { type ProviderOption as Options, withProvider } from '../provider/with-provider.ts'
import { readJsonFile, unreadable } from '../read-input.ts'
import { systemUser } from '../system-user.ts'
import { print, table, time } from '../terminal/print.ts'
import { UsageError } from '../usage.ts'
import { hostsToClose, warnOfOpenHosts } from './ask-hosts.ts'
import { lineOf as entryLine } from './log.ts'
import { privacyMarkdown, privacyText } from './privacy.ts'

export const withShops = <T>(options: Options, use: (shops: Provider['shops']) => Promise<T>): Promise<T> =>
  withProvider(options, ({ shops }) => use(shops))

const readSettings = (file: string): unknown => readJsonFile(file, 'the settings')

export interface AddOptions extends Options {
  platformId?: string
  host?: string[]
  settings?: string
}

export function add(id: string, { platformId, host, settings, ...options }: AddOptions): Promise<void> {
  return withProvider(options, async (provider) => {
    const given = settings === undefined ? undefined : readSettings(settings)
    const hosts = await hostsToClose(provider, host, options)
    const { shop, endpoint } = await provider.shops.add(id, {
      platformId,
      hosts,
      settings: given,
      by: systemUser(),
    })
    print(options.json, { shop, endpoint }, () => [
      `Shop ${shop} is added. Register this urlEndpoint with the shop:`,
      `  ${endpoint}`,
    ])
    await warnOfOpenHosts(provider, shop)
  })
}

export function list(options: Options): Promise<void> {
  return withShops(options, async (shops) => {
    const found = await shops.list()
    print(options.json, found, () =>
      table(found, 'There are no shops yet. The first start adds one, or: purveyor shop add <id>', {
        shop: ({ id }) => id,
        'platform id': ({ platformId }) => platformId ?? 'not seen yet',
        state: ({ disabled }) => (disabled ? 'disabled' : 'live'),
        hosts: hostsOf,
        endpoints: ({ endpoints }) =>
          endpoints.length === 2 ? `2, the older one until ${time(endpoints[1]!.expiresAt!)}` : '1',
      }),
    )
  })
}

const hostsOf = ({ hosts, hostsConfirmed }: ShopView): string =>
  hostsConfirmed ? `${hosts.length} allowed` : `any, ${hosts.length} seen`

export interface ShowOptions extends Options {
  endpoint?: boolean
  webhookSecret?: boolean
}

export function show(
  id: string,
  { endpoint: reveal, webhookSecret, ...options }: ShowOptions,
): Promise<void> {
  return withProvider(options, async (provider) => {
    const shop = await provider.shops.show(id, { reveal, webhookSecret, by: systemUser() })
    const { signsWebhooks } = inspect(provider).describe()
    print(options.json, shop, () => [
      `Shop ${shop.id}, ${shop.disabled ? 'disabled' : 'live'}`,
      `  platform id  ${shop.platformId ?? 'the first one that a POST names'}`,
      `  hosts        ${shop.hostsConfirmed ? 'only' : 'any; seen so far:'} ${shop.hosts.join(', ') || 'none'}`,
      `  settings     ${shop.settings.join(', ') || 'none'}`,
      ...shop.endpoints.map(
        ({ url, createdAt, expiresAt }) =>
          `  endpoint     ${url ?? '(shown with --endpoint)'}  since ${time(createdAt)}${expiresAt === undefined ? '' : `, until ${time(expiresAt)}`}`,
      ),
      ...(shop.resourceAddress === undefined
        ? []
        : [`  events       ${shop.resourceAddress}  of orders and shipments`]),
      ...(shop.pushAddresses ?? []).map(
        ({ adapter, url, ofAllShops }) =>
          `  pushes       ${url}  for ${adapter}${ofAllShops ? ', of all shops' : ''}`,
      ),
      ...(shop.webhookSecrets ?? []).map(
        ({ secret, createdAt, expiresAt }) =>
          `  webhooks     ${secret}  since ${time(createdAt)}${expiresAt === undefined ? '' : `, until ${time(expiresAt)}`}`,
      ),
      ...(shop.webhookSecrets && !signsWebhooks
        ? ['  Webhooks are not signed yet: set payments.signWebhooks of createProvider']
        : []),
    ])
  })
}

const hour = 3_600_000

export interface RotateOptions extends Options {
  overlap: number
  webhookSecret?: boolean
}

export function rotate(id: string, { overlap, webhookSecret, ...options }: RotateOptions): Promise<void> {
  return withShops(options, async (shops) => {
    const change = { overlap: overlap * hour, by: systemUser() }
    if (webhookSecret) {
      const { secret, oldEndsAt } = await shops.rotateWebhookSecret(id, change)
      return print(options.json, { shop: id, webhookSecret: secret, oldEndsAt }, () => [
        `Give this secret to the receiver of shop ${id}'s webhooks:`,
        `  ${secret}`,
        overlap === 0 ? 'The old one no longer works.' : `Both secrets sign until ${time(oldEndsAt)}.`,
      ])
    }
    const rotated = await shops.rotate(id, change)
    print(options.json, { shop: id, ...rotated }, () => [
      `Register this urlEndpoint with shop ${id} instead of the old one:`,
      `  ${rotated.endpoint}`,
      overlap === 0 ? 'The old one no longer works.' : `The old one works until ${time(rotated.oldEndsAt)}.`,
    ])
  })
}

export interface BindOptions extends Options {
  platformId?: string
  none?: boolean
}

/** Every process applies the new binding within five seconds. */
export async function bind(id: string, { platformId, none, ...options }: BindOptions): Promise<void> {
  if ((platformId === undefined) === (none !== true)) {
    throw new UsageError('Give --platform-id with the id of the shop at its platform, or --none.')
  }
  await withShops(options, async (shops) => {
    await shops.bind(id, platformId ?? null, { by: systemUser() })
    print(options.json, { shop: id, platformId: platformId ?? null }, () =>
      platformId === undefined
        ? `Within five seconds the next valid POST that names a platform shop binds shop ${id}.`
        : `Within five seconds shop ${id} answers platform shop ${platformId} and no other.`,
    )
  })
}

export function disable(id: string, options: Options): Promise<void> {
  return withShops(options, async (shops) => {
    await shops.disable(id, { by: systemUser() })
    print(options.json, { shop: id, disabled: true }, () => [
      `Shop ${id} is disabled: within five seconds its endpoint answers 404.`,
      'Payments in progress continue. To serve it again: purveyor shop enable',
    ])
  })
}

export function enable(id: string, options: Options): Promise<void> {
  return withShops(options, async (shops) => {
    await shops.enable(id, { by: systemUser() })
    print(options.json, { shop: id, disabled: false }, () => `Shop ${id} is live.`)
  })
}

export function remove(id: string, { force, ...options }: Options & { force?: boolean }): Promise<void> {
  return withShops(options, async (shops) => {
    const removed = await shops.remove(id, { force, by: systemUser() })
    const { shop, owed, open } = removed
    print(options.json, { removed: true, ...removed }, () => [
      `Shop ${shop} and its data are removed. Its audit trail stays: purveyor shop log ${shop}`,
      ...(owed > 0 ? [`${counted(owed, 'webhook')} to it will not be delivered.`] : []),
      ...(open.length > 0
        ? [
            'These payments may still be paid. Purveyor no longer sees them; check each at its payment service:',
          ]
        : []),
      ...open.map(
        ({ adapter, reference = 'no reference', orderId, id: attempt, amount, currency }) =>
          `  ${adapter} ${reference}: ${amount} ${currency}, order ${orderId}, attempt ${attempt}`,
      ),
    ])
  })
}

interface SettingsOptions extends Options {
  file?: string
  set?: string[]
}

export function settings(id: string, { file, set, ...options }: SettingsOptions): Promise<void> {
  return withShops(options, async (shops) => {
    if (file === undefined && set === undefined) {
      const view = await shops.settings(id)
      return print(options.json, { shop: id, ...view }, () => [
        ...JSON.stringify(view.settings, undefined, 2).split('\n'),
        ...view.history.map(entryLine),
      ])
    }
    const by = systemUser()
    if (set === undefined) await shops.saveSettings(id, readSettings(file!), { by })
    else await shops.patchSettings(id, patchOf(set), { by })
    const { settings: names } = await shops.show(id)
    const text = `Shop ${id} has ${names.join(', ') || 'nothing set'}.`
    print(options.json, { shop: id, settings: names }, () => text)
  })
}

const parts = ['units', 'fallback', 'adapters', 'credentials', 'productFacts', 'brand']

/** The change that `psp.key=@key.txt` and others make. A path begins with the name of an adapter, or with a part of the settings. */
function patchOf(set: readonly string[]): object {
  const patch = Object.create(null)
  for (const one of set) {
    const at = one.indexOf('=')
    const path = one.slice(0, Math.max(0, at)).split('.')
    if (path.includes(''))
      throw new UsageError('--set takes a path and a value, such as psp.key=@key.txt or units.weight=kg.')
    const names = parts.includes(path[0]!) ? path : ['adapters', ...path]
    let place = patch
    for (const name of names.slice(0, -1)) place = place[name] ??= Object.create(null)
    place[names.at(-1)!] = settingOf(one.slice(at + 1))
  }
  return patch
}

/** The text of a file, JSON, or a text as it is. */
function settingOf(text: string): unknown {
  if (!text.startsWith('@')) return jsonIn(text) ?? (text === 'null' ? null : text)
  const file = text.slice(1)
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim()
  } catch (error) {
    throw unreadable(file, error, 'Name one with the value, or - for standard input.')
  }
}

export function erase(
  id: string,
  { order, force, ...options }: Options & { order: string; force?: boolean },
): Promise<void> {
  return withShops(options, async (shops) => {
    const erased = await shops.erase(id, order, { force, by: systemUser() })
    if (!erased)
      throw new UsageError(`Shop ${id} has no payment for order ${order}. See: purveyor payments list`)
    print(options.json, { shop: id, order, erased }, () => `All data of order ${order} is erased.`)
  })
}

export function privacy(
  id: string,
  { markdown, ...options }: Options & { markdown?: boolean },
): Promise<void> {
  return withShops(options, async (shops) => {
    const statement = await shops.privacy(id)
    print(options.json, statement, () => (markdown ? privacyMarkdown(statement) : privacyText(statement)))
  })
}

const fromEnvironment = {
  baseUrl: 'PURVEYOR_PLATFORM_URL',
  language: 'PURVEYOR_PLATFORM_LANGUAGE',
  key: 'PURVEYOR_PLATFORM_KEY',
  secret: 'PURVEYOR_PLATFORM_SECRET',
} as const

/**
 * Stores the credentials for the platform's API once a test call has succeeded. They are not arguments, because lists of processes show
 * those.
 */
export function connect(id: string, { check, ...options }: Options & { check: boolean }): Promise<void> {
  return withProvider(options, async ({ shops, development }) => {
    await shops.show(id)
    const given = givenCredentials()
    const { baseUrl, language } = given
    const client = await clientOf({ ...given, allowLoopback: development })
    if (check) await client.externalServices.list().next()
    await shops.connect(id, given, { by: systemUser() })
    print(options.json, { shop: id, baseUrl, language, checked: check }, () =>
      check
        ? `Shop ${id} is connected to ${baseUrl}: the platform accepted its credentials.`
        : `The credentials of shop ${id} for ${baseUrl} are stored, and were not tested.`,
    )
  })
}

async function clientOf(options: PlatformOptions): Promise<PlatformClient> {
  const { createPlatformClient } = await import('../../platform/client.ts')
  try {
    return createPlatformClient(options)
  } catch (error) {
    const fields = new RegExp(`^(?:${Object.keys(fromEnvironment).join('|')})\\b`)
    const message = (error as Error).message.replace(
      fields,
      (field) => `${field} (${fromEnvironment[field as keyof typeof fromEnvironment]})`,
    )
    throw new UsageError(`${invalidCredentials}: ${message}.`)
  }
}

/** The address may hold key and secret. */
function split<T extends Parameters<typeof withoutUserInfo>[0]>(given: T): T {
  try {
    return withoutUserInfo(given)
  } catch (error) {
    throw new UsageError(`${invalidCredentials}: ${(error as Error).message}.`)
  }
}

const invalidCredentials = 'The credentials are invalid, and nothing was changed'

function givenCredentials(): { baseUrl: string; language: string; key: string; secret: string } {
  const names = Object.entries(fromEnvironment)
  const set = Object.fromEntries(names.map(([field, name]) => [field, process.env[name] ?? ''])) as Record<
    keyof typeof fromEnvironment,
    string
  >
  const values = split(set)
  const missing = names.filter(([field]) => !values[field as keyof typeof values]).map(([, name]) => name)
  if (missing.length === 0) return values
  if (missing.length < names.length || process.stdin.isTTY === true) {
    throw new UsageError(
      `Set ${missing.join(', ')}, or give { baseUrl, language, key, secret } as JSON on standard input.`,
    )
  }
  return split(readJsonFile('-', 'the credentials') as never)
}
