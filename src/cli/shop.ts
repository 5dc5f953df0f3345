import { existsSync, readFileSync } from 'node:fs'
import type { Provider } from '../create-provider.ts'
import { SettingsInvalid } from '../use-cases/shop-settings.ts'
import { ShopProblem, type ShopView } from '../use-cases/shops.ts'
import { print, table, time } from './print.ts'
import { privacyMarkdown, privacyText } from './privacy.ts'
import { findProviderFile, loadProvider } from './provider-file.ts'
import { UsageError } from './usage.ts'

interface Options {
  provider?: string
  json?: boolean
}

/** Opens the provider of this folder for one command, also beside one that runs. */
async function withShops<T>(
  { provider: named }: Options,
  use: (shops: Provider['shops']) => Promise<T>,
): Promise<T> {
  const file = findProviderFile(named)
  if (!file) throw new UsageError('There is no provider.ts here. Name one with --provider.')
  if (existsSync('.env')) process.loadEnvFile('.env')
  const provider = await loadProvider(file)
  try {
    return await use(provider.shops)
  } catch (error) {
    if (error instanceof ShopProblem || error instanceof SettingsInvalid) throw new UsageError(error.message)
    throw error
  } finally {
    await provider.stop()
  }
}

function readSettings(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch {
    throw new UsageError(`There is no file ${file}. Name one with the settings as JSON, or - for input.`)
  }
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own words would repeat what stands there, and it may be a secret.
    throw new UsageError(`${file} is no JSON, and nothing was changed.`)
  }
}

export interface AddOptions extends Options {
  platformId?: string
  host?: string[]
  settings?: string
}

export function add(id: string, { platformId, host, settings, ...options }: AddOptions): Promise<void> {
  return withShops(options, async (shops) => {
    const given = settings === undefined ? undefined : readSettings(settings)
    const { endpoint } = await shops.add(id, { platformId, hosts: host, settings: given })
    print(options.json, { shop: id, endpoint }, () =>
      [`Shop ${id} is added. Register this urlEndpoint with it:`, `  ${endpoint}`].join('\n'),
    )
  })
}

export function list(options: Options): Promise<void> {
  return withShops(options, async (shops) => {
    const found = await shops.list()
    print(options.json, found, () =>
      table(
        ['shop', 'platform id', 'state', 'hosts', 'endpoints'],
        found.map((shop) => [
          shop.id,
          shop.platformId ?? 'not seen yet',
          shop.disabled ? 'disabled' : 'live',
          hostsOf(shop),
          shop.endpoints.length === 2 ? `2, the older one until ${time(shop.endpoints[1]!.expiresAt!)}` : '1',
        ]),
        'There are no shops yet. The first start adds one, or: purveyor shop add <id>',
      ),
    )
  })
}

const hostsOf = ({ hosts, hostsConfirmed }: ShopView): string =>
  hostsConfirmed ? `${hosts.length} allowed` : `any, ${hosts.length} noted`

export function show(
  id: string,
  { endpoint: reveal, ...options }: Options & { endpoint?: boolean },
): Promise<void> {
  return withShops(options, async (shops) => {
    const shop = await shops.show(id, { reveal })
    print(options.json, shop, () =>
      [
        `Shop ${shop.id}, ${shop.disabled ? 'disabled' : 'live'}`,
        `  platform id  ${shop.platformId ?? 'the first one that calls'}`,
        `  language     ${shop.language ?? 'not seen yet'}`,
        `  hosts        ${shop.hostsConfirmed ? 'only' : 'any; noted so far:'} ${shop.hosts.join(', ') || 'none'}`,
        `  settings     ${shop.settings.join(', ') || 'none'}`,
        ...shop.endpoints.map(
          ({ url, createdAt, expiresAt }) =>
            `  endpoint     ${url ?? '(shown with --endpoint)'}  since ${time(createdAt)}${expiresAt === undefined ? '' : `, until ${time(expiresAt)}`}`,
        ),
      ].join('\n'),
    )
  })
}

const hour = 3_600_000

export function rotate(id: string, { overlap, ...options }: Options & { overlap: number }): Promise<void> {
  return withShops(options, async (shops) => {
    const rotated = await shops.rotate(id, { overlap: overlap * hour })
    print(options.json, { shop: id, ...rotated }, () =>
      [
        `Register this urlEndpoint with shop ${id} instead of the old one:`,
        `  ${rotated.endpoint}`,
        overlap === 0 ? 'The old one has ended.' : `The old one goes on until ${time(rotated.oldEndsAt)}.`,
      ].join('\n'),
    )
  })
}

export function disable(id: string, options: Options): Promise<void> {
  return withShops(options, async (shops) => {
    await shops.disable(id)
    print(options.json, { shop: id, disabled: true }, () =>
      [
        `Shop ${id} is disabled: within five seconds its endpoint answers 404.`,
        'Payments under way go on. It comes back with: purveyor shop enable',
      ].join('\n'),
    )
  })
}

export function enable(id: string, options: Options): Promise<void> {
  return withShops(options, async (shops) => {
    await shops.enable(id)
    print(options.json, { shop: id, disabled: false }, () => `Shop ${id} is live.`)
  })
}

export function remove(id: string, { force, ...options }: Options & { force?: boolean }): Promise<void> {
  return withShops(options, async (shops) => {
    await shops.remove(id, { force })
    print(
      options.json,
      { shop: id, removed: true },
      () => `Shop ${id} is removed, with all that was kept of it.`,
    )
  })
}

export function settings(id: string, { file, ...options }: Options & { file: string }): Promise<void> {
  return withShops(options, async (shops) => {
    await shops.saveSettings(id, readSettings(file))
    const { settings: names } = await shops.show(id)
    print(
      options.json,
      { shop: id, settings: names },
      () => `Shop ${id} has ${names.join(', ') || 'nothing set'}.`,
    )
  })
}

export function hosts(
  what: 'list' | 'add' | 'remove' | 'confirm',
  id: string,
  names: string[],
  options: Options,
): Promise<void> {
  return withShops(options, async (shops) => {
    const change = what === 'add' ? { add: names } : what === 'remove' ? { remove: names } : {}
    const now = await shops.changeHosts(id, { ...change, confirm: what === 'confirm' ? true : undefined })
    print(options.json, { shop: id, ...now }, () =>
      [
        now.confirmed
          ? `Shop ${id} may name these hosts and no others:`
          : `Shop ${id} may name any host. Noted so far:`,
        ...now.hosts.map((host) => `  ${host}`),
        ...(now.hosts.length === 0 ? ['  none'] : []),
        ...(now.confirmed ? [] : [`Close the list with: purveyor shop hosts confirm ${id}`]),
      ].join('\n'),
    )
  })
}

export function erase(
  id: string,
  { order, force, ...options }: Options & { order: string; force?: boolean },
): Promise<void> {
  return withShops(options, async (shops) => {
    const erased = await shops.erase(id, order, { force })
    if (!erased)
      throw new UsageError(`Shop ${id} has no payment for order ${order}. See: purveyor payments list`)
    print(options.json, { shop: id, order, erased }, () => `All that was kept of order ${order} is erased.`)
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
