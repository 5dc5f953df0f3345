import { Command as Commander, type Option } from 'commander'
import { addCommand } from './build.ts'
import { commands } from './groups.ts'
import { sayFields } from './terminal/print.ts'

type Candidate = { value: string; description?: string }

/** The words to choose from; names of files where a value has no choices. */
type Offer = readonly Candidate[] | 'files'

/** Prints what fits the last word, a line each with a description behind a tab. Says nothing of anything that fails. */
export async function complete(words: readonly string[]): Promise<void> {
  const offer = await offerFor(words).catch(() => [])
  if (offer === 'files') sayFields(':files')
  else for (const { value, description = '' } of offer) sayFields(value, description)
}

/** The words that may stand in the place of the last one, and begin as it does. */
export async function offerFor(words: readonly string[]): Promise<Offer> {
  const last = words.at(-1) ?? ''
  const offer = await allFor(words.slice(0, -1), last)
  return offer === 'files' ? offer : offer.filter(({ value }) => value.startsWith(last))
}

async function allFor([first, ...rest]: readonly string[], last: string): Promise<Offer> {
  const isOption = last.startsWith('-')
  if (first === undefined)
    return isOption ? [version, help] : namesOf(await Promise.all(Object.keys(commands).map(commandOf)))
  if (!Object.hasOwn(commands, first)) return []
  const { command, option, count } = placeAfter(rest, await commandOf(first))
  if (option && !(option.variadic && isOption)) return valuesOf(option)
  if (isOption)
    return [...command.options.map(({ long, description }) => ({ value: long!, description })), help]
  if (count === 0 && command.commands.length > 0) return namesOf(command.commands)
  const all = command.registeredArguments
  const argument = all[count] ?? all.findLast(({ variadic }) => variadic)
  return argument ? valuesOf(argument) : []
}

/** The command that the words lead to, the number of its arguments among them, and the option that waits for its value. */
function placeAfter(words: readonly string[], top: Commander) {
  let [command, count, option]: [Commander, number, Option | undefined] = [top, 0, undefined]
  for (const word of words) {
    const below = command.commands.find((one) => one.name() === word)
    if (word.startsWith('-') && word !== '-')
      option = command.options.find((one) => one.required && [one.long, one.short].includes(word))
    else if (option) option = option.variadic ? option : undefined
    else if (below && count === 0) command = below
    else count++
  }
  return { command, count, option }
}

const commandOf = async (name: string): Promise<Commander> =>
  addCommand(new Commander(), name, (await commands[name]!()).command)

const help: Candidate = { value: '--help', description: 'display help for command' }
const version: Candidate = { value: '--version', description: 'output the version number' }

const namesOf = (named: readonly Commander[]): Candidate[] =>
  named.map((one) => ({ value: one.name(), description: one.description() }))

const valuesOf = ({ argChoices }: { argChoices?: string[] }): Offer =>
  argChoices?.map((value) => ({ value })) ?? 'files'
