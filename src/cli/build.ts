import { Argument, type Command as Commander, Option } from 'commander'
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
  for (const [syntax, details] of Object.entries(takes)) added.addArgument(argumentOf(syntax, details))
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

function argumentOf(syntax: string, details: string | OptionDetails): Argument {
  if (typeof details === 'string') return new Argument(syntax, details)
  const argument = new Argument(syntax, details.description)
  return details.choices ? argument.choices(details.choices) : argument
}

function optionOf(flags: string, details: string | OptionDetails): Option {
  if (typeof details === 'string') return new Option(flags, details)
  const { description, parse, choices, conflicts = [] } = details
  const option = new Option(flags, description).default(details.default)
  if (parse) option.argParser(parse)
  if (choices) option.choices(choices)
  return option.conflicts([...conflicts])
}
