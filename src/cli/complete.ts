import { existsSync } from 'node:fs'
import { Command as Commander, type Option } from 'commander'
import { addCommand } from './build.ts'
import { commands } from './groups.ts'
import { sayFields } from './terminal/print.ts'

type Candidate = { value: string; description?: string }

/** The words to choose from; names of files where a file is meant. */
type Offer = readonly Candidate[] | 'files'

/** Prints what fits the last word, a line each with a description behind a tab. Says nothing of anything that fails. */
export async function complete(words: readonly string[]): Promise<void> {
  const offer = await offerFor(words).catch(() => [])
  if (offer === 'files') sayFields(':files')
  else for (const { value, description = '' } of offer) sayFields(value, description)
}

/** The words that may stand in the place of the last one, and begin as it does. */
export async function offerFor(given: readonly string[]): Promise<Offer> {
  // bash takes `--only=rates` apart at the sign.
  const words = given.filter((word, at) => word !== '=' || !given[at - 1]?.startsWith('--'))
  const last = given.at(-1) === '=' ? '' : (words.pop() ?? '')
  const offer = await allFor(words, last)
  return offer === 'files' ? offer : offer.filter(({ value }) => value.startsWith(last))
}

async function allFor([first, ...rest]: readonly string[], last: string): Promise<Offer> {
  const isOption = last.startsWith('-')
  if (first === undefined)
    return isOption ? [version, help] : namesOf(await Promise.all(Object.keys(commands).map(commandOf)))
  if (!Object.hasOwn(commands, first)) return []
  const { command, option, count } = placeAfter(rest, await commandOf(first))
  if (option && !(option.variadic && isOption)) return valuesOfOption(first, option)
  const [, name] = /^(--[\w-]+)=/.exec(last) ?? []
  const known = name === undefined ? undefined : valued(command, name)
  if (name !== undefined) return known ? valuesOfOption(first, known, `${name}=`) : []
  const options = command.options.flatMap(({ long: value, description }) =>
    value ? { value, description } : [],
  )
  if (isOption) return [...options, help]
  const all = command.registeredArguments
  const argument = all[count] ?? all.findLast(({ variadic }) => variadic)
  const named = argument?.name() ?? ''
  const values = argument?.argChoices ?? (await valuesOf(first, named, named))
  if (values === 'files') return values
  return [...(count === 0 ? namesOf(command.commands) : []), ...values.map((value) => ({ value }))]
}

/** The command that the words lead to, the number of its arguments among them, and the option that waits for its value. */
function placeAfter(words: readonly string[], top: Commander) {
  let [command, count, option]: [Commander, number, Option | undefined] = [top, 0, undefined]
  for (const word of words) {
    const below = command.commands.find((one) => one.name() === word)
    if (word.startsWith('-') && word !== '-') option = valued(command, word)
    else if (option) option = option.variadic ? option : undefined
    else if (below && count === 0) command = below
    else count++
  }
  return { command, count, option }
}

const valued = ({ options }: Commander, name: string): Option | undefined =>
  options.find((one) => one.required && [one.long, one.short].includes(name))

const commandOf = async (name: string): Promise<Commander> =>
  addCommand(new Commander(), name, (await commands[name]!()).command)

const help: Candidate = { value: '--help', description: 'display help for command' }
const version: Candidate = { value: '--version', description: 'output the version number' }

const namesOf = (named: readonly Commander[]): Candidate[] =>
  named.map((one) => ({ value: one.name(), description: one.description() }))

/** `before` is what stands before the value in the same word. */
async function valuesOfOption(first: string, option: Option, before = ''): Promise<Offer> {
  const [, name = ''] = /<([\w-]+)/.exec(option.flags) ?? []
  const values = option.argChoices ?? (await valuesOf(first, option.long!, name))
  if (values === 'files') return before === '' ? values : []
  return values.map((value) => ({ value: before + value }))
}

const files = new Set(['file', 'folder', 'path', 'table', 'old', 'new', 'request', 'settings', 'provider'])

/** The values of options and arguments by `command name`, and of those that mean the same in every command by their name. */
const sources: Readonly<Record<string, () => Promise<readonly string[]> | readonly string[]>> = {
  shop: shopIds,
  '--shop': shopIds,
  'check --case': async () => (await import('../conformance/index.ts')).conformanceCases.map(nameOf),
  'simulate names': async () => (await import('../sandbox/index.ts')).scenarios.map(nameOf),
  'explain code': async () => {
    const { explanations } = await import('./explain/explain.ts')
    return [...new Set(explanations().map(({ code }) => code))]
  },
  'docs words': async () => (await import('./docs/docs.ts')).readPages().map(nameOf),
}

const nameOf = ({ name }: { name: string }): string => name

/** The known values of an option or an argument. `name` is what its value is called in `--help`. */
const valuesOf = async (group: string, asked: string, name: string): Promise<readonly string[] | 'files'> =>
  (sources[`${group} ${asked}`] ?? sources[asked])?.() ?? (files.has(name) ? 'files' : [])

/** The shops of a store that is a file: one on a server may be far away. */
async function shopIds(): Promise<readonly string[]> {
  const { databaseUrl } = await import('./provider/store.ts')
  const { sqliteFileOf } = await import('../stores/open.ts')
  const file = sqliteFileOf(await databaseUrl())
  if (file === undefined || !existsSync(file)) return []
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = database.prepare('select id from shops order by id limit 1000').all()
    return rows.map(({ id }) => String(id))
  } finally {
    database.close()
  }
}
