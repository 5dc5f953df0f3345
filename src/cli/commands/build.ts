import { type Command as Commander, Option } from 'commander'
import type { Command, OptionDetails } from './command.ts'
import { examplesOf } from './examples.ts'
import { groupOf } from './index.ts'

/** Adds a command and its subcommands to commander's. `ready` runs before anything is loaded; it throws if the command cannot run here. */
export function addCommand(
  to: Commander,
  name: string,
  command: Command,
  ready: (command: Command) => void,
  above: readonly string[] = [],
): void {
  const path = [...above, name]
  const added = to
    .command(name)
    .description(command.description)
    .showHelpAfterError(`Help: purveyor ${path.join(' ')} --help`)
    .addHelpText('after', () => helpOf(path))
  const group = above.length === 0 ? groupOf(name) : undefined
  if (group !== undefined) added.helpGroup(`${group}:`)
  for (const [written, description] of Object.entries(command.arguments ?? {}))
    added.argument(written, description)
  for (const [flags, details] of Object.entries(command.options ?? {}))
    added.addOption(optionOf(flags, typeof details === 'string' ? { description: details } : details))
  const { load } = command
  if (load) {
    added.action(async (...given) => {
      refuseMissing(added, command)
      ready(command)
      const run = await load()
      const values = given.slice(0, -2)
      await run(...([...values, { ...added.optsWithGlobals<object>(), ...added.opts<object>() }] as never[]))
    })
  }
  for (const [below, one] of Object.entries(command.commands ?? {}))
    addCommand(added, below, one, ready, path)
}

/** commander's own check comes before the one of unknown options: a misspelled option was called missing. */
function refuseMissing(added: Commander, { options = {} }: Command): void {
  for (const [flags, details] of Object.entries(options)) {
    if (typeof details === 'string' || !details.required) continue
    if (added.getOptionValue(new Option(flags).attributeName()) !== undefined) continue
    added.error(`error: required option '${flags}' not specified`)
  }
}

/** The end of the help of a command: examples. */
export function helpOf(path: readonly string[]): string {
  const lines = examplesOf(path).map((line) => `\n  ${line}`)
  return `\nExamples:${lines.join('')}`
}

function optionOf(flags: string, details: OptionDetails): Option {
  const { description, parse, choices, hidden = false, conflicts = [] } = details
  const option = new Option(flags, description).hideHelp(hidden)
  if (parse) option.argParser(parse)
  if (choices) option.choices(choices)
  if (details.default !== undefined) option.default(details.default)
  return option.conflicts([...conflicts])
}
