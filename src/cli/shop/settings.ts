import { readFileSync } from 'node:fs'
import { jsonIn } from '../../contract/json.ts'
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
    else await shops.patchSettings(id, patchOf(set), { by })
    const { settings: names } = await shops.show(id)
    const text = `Shop ${id} has ${names.join(', ') || 'nothing set'}.`
    print(json, { shop: id, settings: names }, () => text)
  },
})

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
