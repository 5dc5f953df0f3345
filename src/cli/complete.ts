import type { Command, OptionDetails } from './commands/command.ts'
import type { CommandTable } from './commands/index.ts'
import { valuesOf } from './completion-values.ts'
import { sayFields } from './terminal/print.ts'

/** A word that a shell offers. */
export interface Candidate {
  value: string
  description?: string
}

/** The words to choose from; names of files where a file is meant. */
type Offer = readonly Candidate[] | 'files'

interface KnownOption {
  names: readonly string[]
  details: OptionDetails
  /** The name of its value; `undefined` for an option without one. */
  value: string | undefined
  /** It takes all words up to the next option. */
  takesMany: boolean
}

/** Prints what fits the last word, a line each with a description behind a tab. Says nothing of anything that fails. */
export async function complete(commands: CommandTable, words: readonly string[]): Promise<void> {
  const offer = await offerFor(commands, words).catch(() => [])
  if (offer === 'files') sayFields(':files')
  else for (const { value, description = '' } of offer) sayFields(value, description)
}

/** The words that may stand in the place of the last one, and begin as it does. */
export async function offerFor(commands: CommandTable, given: readonly string[]): Promise<Offer> {
  // bash takes `--only=rates` apart at the sign.
  const words = given.filter((word, at) => word !== '=' || !given[at - 1]?.startsWith('--'))
  const last = given.at(-1) === '=' ? '' : (words.pop() ?? '')
  const [first, ...rest] = words
  if (first === undefined) return beginning(last, last.startsWith('-') ? ofProgram : await allOf(commands))
  if (!Object.hasOwn(commands, first)) return []
  const place = placeAfter(rest, [first], (await commands[first]!()).command)
  const { option, onlyArguments } = place
  const mayBeOption = last.startsWith('-') && !onlyArguments
  if (option && !(option.takesMany && mayBeOption))
    return offerValues(place, option.value!, option.details, last, '')
  const [, name, typed] = (onlyArguments ? undefined : /^(--[\w-]+)=(.*)$/s.exec(last)) ?? []
  if (name !== undefined) {
    const known = optionsOf(place.command).find(({ names }) => names.includes(name))
    return known?.value === undefined
      ? []
      : offerValues(place, known.value, known.details, typed!, `${name}=`)
  }
  if (mayBeOption) return beginning(last, optionNames(place.command))
  return offerArgument(place, last)
}

interface Place {
  path: readonly string[]
  command: Command
  /** How many arguments are before. */
  count: number
  /** The option that waits for its value. */
  option: KnownOption | undefined
  /** Behind `--`. */
  onlyArguments: boolean
}

/** The place behind words that follow a command. */
function placeAfter(words: readonly string[], path: readonly string[], command: Command): Place {
  let place: Place = { path, command, count: 0, option: undefined, onlyArguments: false }
  for (const word of words) {
    const { option, onlyArguments, count } = place
    const below = place.command.commands?.[word]
    if (onlyArguments) place = { ...place, count: count + 1 }
    else if (word === '--') place = { ...place, option: undefined, onlyArguments: true }
    else if (word.startsWith('-') && word !== '-') {
      const known = optionsOf(place.command).find(({ names }) => names.includes(word))
      place = { ...place, option: known?.value === undefined ? undefined : known }
    } else if (option) place = { ...place, option: option.takesMany ? option : undefined }
    else if (below && count === 0)
      place = { path: [...place.path, word], command: below, count: 0, option: undefined, onlyArguments }
    else place = { ...place, count: count + 1 }
  }
  return place
}

const optionsOf = ({ options = {} }: Command): KnownOption[] =>
  Object.entries(options).map(([flags, written]) => {
    const [, value, many] = /[<[]([\w-]+)(\.\.\.)?[>\]]/.exec(flags) ?? []
    return {
      names: flags.match(/(?<![\w-])--?[a-z][\w-]*/g) ?? [],
      details: typeof written === 'string' ? { description: written } : written,
      value,
      takesMany: many !== undefined,
    }
  })

const help: Candidate = { value: '--help', description: 'display help for command' }
const ofProgram: readonly Candidate[] = [
  { value: '--version', description: 'output the version number' },
  help,
]

const optionNames = (command: Command): Candidate[] => [
  ...optionsOf(command).flatMap(({ names, details: { description, hidden } }) =>
    hidden ? [] : names.filter((name) => name.startsWith('--')).map((value) => ({ value, description })),
  ),
  help,
]

async function allOf(commands: CommandTable): Promise<Candidate[]> {
  const loaded = Object.entries(commands).map(async ([name, load]) => [name, (await load()).command] as const)
  return namesOf(await Promise.all(loaded))
}

const namesOf = (named: readonly (readonly [string, Command])[]): Candidate[] =>
  named.map(([value, { description }]) => ({ value, description }))

const beginning = (typed: string, all: readonly Candidate[]): Candidate[] =>
  all.filter(({ value }) => value.startsWith(typed))

async function offerArgument(place: Place, typed: string): Promise<Offer> {
  const { command, count } = place
  const names = count === 0 ? beginning(typed, namesOf(Object.entries(command.commands ?? {}))) : []
  const all = Object.keys(command.arguments ?? {})
  const written = all[count] ?? all.findLast((one) => one.includes('...'))
  if (written === undefined) return names
  const offered = await offerValues(place, written.replace(/\W/g, ''), { description: '' }, typed, '')
  return offered === 'files' ? (names.length > 0 ? names : offered) : [...names, ...offered]
}

/** The values of an option or an argument that has this name. `before` is what stands before the value in the same word. */
async function offerValues(
  { path, option }: Place,
  name: string,
  { choices }: OptionDetails,
  typed: string,
  before: string,
): Promise<Offer> {
  const flag = before === '' ? option?.names.at(-1) : before.slice(0, -1)
  const values = choices ?? (await valuesOf(path, flag, name))
  if (values === 'files') return before === '' ? 'files' : []
  return beginning(
    before + typed,
    values.map((value) => ({ value: before + value })),
  )
}
