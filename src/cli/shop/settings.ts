import { readFileSync } from 'node:fs'
import { jsonIn } from '../../contract/json.ts'
import { hasCode } from '../../errors.ts'
import { ofShop } from '../kinds.ts'
import { readJsonFile, unreadable } from '../read-input.ts'
import { systemUser } from '../system-user.ts'
import { print } from '../terminal/print.ts'
import { UsageError } from '../usage.ts'
import { lineOf as entryLine } from './log.ts'

export const readSettings = (file: string): unknown => readJsonFile(file, 'the settings')

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
  async run({ shop: id, file, set, json }, { shops }) {
    if (file === undefined && set === undefined) {
      const view = await shops.settings(id)
      return print(json, { shop: id, ...view }, () => [
        ...JSON.stringify(view.settings, undefined, 2).split('\n'),
        ...view.history.map(entryLine),
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
  if (text.startsWith('@')) return { names, value: textIn(text.slice(1)) }
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

function textIn(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim()
  } catch (error) {
    throw unreadable(file, error, 'Name one with the value, or - for standard input.')
  }
}
