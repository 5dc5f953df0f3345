import { jsonIn } from '../../contract/texts.ts'
import { hasCode } from '../../errors/errors.ts'
import type { PlatformClient } from '../../platform/client.ts'
import { withoutUserInfo } from '../../shops/shop.ts'
import { ofShop } from '../table.ts'
import { print } from '../terminal/print.ts'
import { readJsonFile, readText } from '../terminal/read-input.ts'
import { UsageError } from '../terminal/usage.ts'
import { lineOf } from './log.ts'

export const settings = ofShop({
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
  async run({ shop: id, file, set, json, by }, { shops }) {
    if (file === undefined && set === undefined) {
      const view = await shops.settings(id)
      return print(json, { shop: id, ...view }, () => [
        ...JSON.stringify(view.settings, undefined, 2).split('\n'),
        ...view.history.map(lineOf),
      ])
    }
    const entries = set?.map(entryOf) ?? []
    if (set === undefined) await shops.saveSettings(id, readJsonFile(file!, 'the settings'), { by })
    else
      await shops.patchSettings(id, patchOf(entries), { by }).catch(async (error: unknown) => {
        if (!hasCode(error, 'SETTINGS_INVALID')) throw error
        const refused = error.faults.map(({ path = '' }) => path)
        const again = shops.patchSettings(id, patchOf(entries, refused), { by })
        await again.catch(() => Promise.reject(error))
      })
    const { settings: names } = await shops.show(id)
    const text = `Shop ${id} has ${names.join(', ') || 'nothing set'}.`
    print(json, { shop: id, settings: names }, () => text)
  },
})

const parts = ['units', 'fallback', 'adapters', 'credentials', 'productFacts', 'brand']

/** A setting: digits are a number or a text, whichever its adapter takes. `other` is their other meaning. */
type Entry = { names: string[]; value: unknown; other?: unknown }

/** Reads `psp.key=@key.txt` and the like. A path begins with the name of an adapter, or with a part of the settings. */
function entryOf(given: string): Entry {
  const at = given.indexOf('=')
  const path = given.slice(0, Math.max(0, at)).split('.')
  if (path.includes(''))
    throw new UsageError('--set takes a path and a value, such as psp.key=@key.txt or units.weight=kg.')
  const names = parts.includes(path[0]!) ? path : ['adapters', ...path]
  const text = given.slice(at + 1)
  const remedy = 'Name one with the value, or - for standard input.'
  if (text.startsWith('@')) return { names, value: readText(text.slice(1), remedy).trim() }
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

const fromEnvironment = {
  baseUrl: 'PURVEYOR_PLATFORM_URL',
  language: 'PURVEYOR_PLATFORM_LANGUAGE',
  key: 'PURVEYOR_PLATFORM_KEY',
  secret: 'PURVEYOR_PLATFORM_SECRET',
} as const

/** Stores the credentials once a test call has succeeded. They are not arguments, because lists of processes show those. */
export const connect = ofShop({
  description:
    "store the credentials for the platform's API: PURVEYOR_PLATFORM_URL, _LANGUAGE, _KEY and _SECRET, or JSON on standard input",
  examples: ['purveyor shop connect bikes'],
  options: { '--no-check': 'store them without testing them' },
  async run({ shop: id, check, json, by }, { shops, development }) {
    await shops.show(id)
    const given = givenCredentials()
    const { baseUrl, language } = given
    const { createPlatformClient } = await import('../../platform/client.ts')
    let client: PlatformClient
    try {
      client = createPlatformClient({ ...given, allowLoopback: development })
    } catch (error) {
      const [field = '', ...more] = (error as Error).message.split(/\b/)
      const variable = fromEnvironment[field as keyof Credentials]
      throw invalid(`${field}${variable ? ` (${variable})` : ''}${more.join('')}`)
    }
    if (check) await client.externalServices.list().next()
    await shops.connect(id, given, { by })
    print(json, { shop: id, baseUrl, language, checked: check }, () =>
      check
        ? `Shop ${id} is connected to ${baseUrl}: the platform accepted its credentials.`
        : `The credentials of shop ${id} for ${baseUrl} are stored, and were not tested.`,
    )
  },
})

const invalid = (why: string) =>
  new UsageError(`The credentials are invalid, and nothing was changed: ${why}.`)

type Credentials = Record<keyof typeof fromEnvironment, string>

function givenCredentials(): Credentials {
  /** The address may hold key and secret. */
  const split = (given: object): Credentials => {
    try {
      return withoutUserInfo(given as Credentials)
    } catch (error) {
      throw invalid((error as Error).message)
    }
  }
  const names = Object.entries(fromEnvironment) as [keyof Credentials, string][]
  const values = split(Object.fromEntries(names.map(([field, name]) => [field, process.env[name] ?? ''])))
  const missing = names.filter(([field]) => !values[field]).map(([, name]) => name)
  if (missing.length === 0) return values
  if (missing.length < names.length || process.stdin.isTTY === true)
    throw new UsageError(
      `Set ${missing.join(', ')}, or give { baseUrl, language, key, secret } as JSON on standard input.`,
    )
  return split(readJsonFile('-', 'the credentials') as Credentials)
}
