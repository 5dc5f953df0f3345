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
  for (const [syntax, given] of Object.entries(takes)) {
    const { description, choices } = detailsOf(given)
    const argument = new Argument(syntax, description)
    added.addArgument(choices ? argument.choices(choices) : argument)
  }
  for (const [flags, given] of Object.entries(options)) {
    const { description, parse, choices, conflicts = [], default: usual } = detailsOf(given)
    const option = new Option(flags, description).default(usual).conflicts([...conflicts])
    if (parse) option.argParser(parse)
    added.addOption(choices ? option.choices(choices) : option)
  }
  if (run)
    added.action(async (...values: unknown[]) => {
      refuseMissing(added, command)
      ready(command)
      const given = Object.fromEntries(added.registeredArguments.map((one, at) => [one.name(), values[at]]))
      await run({ ...given, ...added.optsWithGlobals<object>(), ...added.opts<object>() } as never)
    })
  for (const [below, one] of Object.entries(commands)) addCommand(added, below, one, ready, path)
  return added
}

/** commander's own check comes before the one of unknown options: a misspelled option was called missing. */
function refuseMissing(added: Commander, { options = {} }: Command): void {
  for (const [flags, given] of Object.entries(options)) {
    if (!detailsOf(given).required) continue
    if (added.getOptionValue(new Option(flags).attributeName()) !== undefined) continue
    added.error(`error: required option '${flags}' not specified`)
  }
}

export const examplesOf = ({ examples, commands = {} }: Command): readonly string[] =>
  examples ??
  Object.values(commands)
    .flatMap((one) => examplesOf(one).slice(0, 1))
    .slice(0, 3)

export const helpOf = (examples: readonly string[]): string =>
  `\nExamples:${examples.map((line) => `\n  ${line}`).join('')}`

const detailsOf = (given: string | OptionDetails): OptionDetails =>
  typeof given === 'string' ? { description: given } : given
