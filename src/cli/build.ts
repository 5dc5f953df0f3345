import { type Command as Commander, type Help, Option } from 'commander'
import { groupOf } from './groups.ts'
import type { Command, OptionDetails } from './table.ts'

/** Adds a command and its subcommands to commander's. `ready` runs before the function; it throws if the command cannot run here. */
export function addCommand(
  to: Commander,
  name: string,
  command: Command,
  ready: (command: Command) => void = () => {},
  above: readonly string[] = [],
): Commander {
  const { description, arguments: takes = {}, options = {}, commands = {}, run } = command
  const path = [...above, name]
  const added = to
    .command(name)
    .description(description)
    .showHelpAfterError(`Help: purveyor ${path.join(' ')} --help`)
    .addHelpText('after', () => helpOf(examplesOf(command)))
  const group = above.length === 0 ? groupOf(name) : undefined
  if (group !== undefined) added.helpGroup(`${group}:`)
  for (const [syntax, meaning] of Object.entries(takes)) added.argument(syntax, meaning)
  for (const [flags, details] of Object.entries(options)) added.addOption(optionOf(flags, details))
  if (run)
    added.action(async (...values: unknown[]) => {
      refuseMissing(added, command)
      ready(command)
      const given = added.registeredArguments.map((one, place) => [one.name(), values[place]])
      await run({
        ...Object.fromEntries(given),
        ...added.optsWithGlobals<object>(),
        ...added.opts<object>(),
      } as never)
    })
  for (const [below, one] of Object.entries(commands)) addCommand(added, below, one, ready, path)
  return added
}

/** commander's own check comes before the one of unknown options: a misspelled option was called missing. */
function refuseMissing(added: Commander, { options = {} }: Command): void {
  for (const [flags, details] of Object.entries(options)) {
    if (typeof details === 'string' || !details.required) continue
    if (added.getOptionValue(new Option(flags).attributeName()) !== undefined) continue
    added.error(`error: required option '${flags}' not specified`)
  }
}

const mostOfGroup = 3

export const examplesOf = ({ examples, commands = {} }: Command): readonly string[] =>
  examples ??
  Object.values(commands)
    .flatMap((one) => examplesOf(one).slice(0, 1))
    .slice(0, mostOfGroup)

export const helpOf = (examples: readonly string[]): string =>
  `\nExamples:${examples.map((line) => `\n  ${line}`).join('')}`

function optionOf(flags: string, details: string | OptionDetails): Option {
  if (typeof details === 'string') return new Option(flags, details)
  const { description, parse, choices, conflicts = [] } = details
  const option = new Option(flags, description).default(details.default)
  if (parse) option.argParser(parse)
  if (choices) option.choices(choices)
  return option.conflicts([...conflicts])
}

/** A column of descriptions that has to be narrower than this is read more easily below its option. */
const narrowest = 24
const indent = ' '.repeat(6)

/** How the help shows an option, an argument or a command: its description is wrapped to the terminal, however narrow that is. */
export const helpItems: Partial<Help> = {
  // Commander's own leaves a column of fewer than 40 as it is.
  minWidthToWrap: 1,
  formatItem(term, termWidth, description, helper) {
    const width = helper.helpWidth ?? 80
    const before = 2 + termWidth + 2
    const isBeside = width - before >= narrowest
    const margin = isBeside ? ' '.repeat(before) : indent
    const lines = description === '' ? [] : helper.boxWrap(description, width - margin.length).split('\n')
    const below = (some: readonly string[]) => some.map((line) => `\n${margin}${line}`).join('')
    if (!isBeside) return `  ${term}${below(lines)}`
    const [first = '', ...rest] = lines
    const padded = term + ' '.repeat(termWidth - helper.displayWidth(term))
    return `  ${padded}  ${first}`.trimEnd() + below(rest)
  },
}
