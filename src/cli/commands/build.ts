import { type Command as Commander, Option } from 'commander'
import type { Command, OptionDetails } from './command.ts'

/** Adds a command and its subcommands to commander's. `ready` runs before anything is loaded; it throws if the command cannot run here. */
export function addCommand(
  to: Commander,
  name: string,
  command: Command,
  ready: (command: Command) => void,
): void {
  const added = to.command(name).description(command.description)
  for (const [written, description] of Object.entries(command.arguments ?? {}))
    added.argument(written, description)
  for (const [flags, details] of Object.entries(command.options ?? {}))
    added.addOption(optionOf(flags, typeof details === 'string' ? { description: details } : details))
  const { load } = command
  if (load) {
    added.action(async (...given) => {
      ready(command)
      const run = await load()
      const values = given.slice(0, -2)
      await run(...([...values, { ...added.optsWithGlobals<object>(), ...added.opts<object>() }] as never[]))
    })
  }
  for (const [below, one] of Object.entries(command.commands ?? {})) addCommand(added, below, one, ready)
}

function optionOf(flags: string, details: OptionDetails): Option {
  const { description, parse, choices, required = false, hidden = false } = details
  const option = new Option(flags, description).makeOptionMandatory(required).hideHelp(hidden)
  if (parse) option.argParser(parse)
  if (choices) option.choices(choices)
  if (details.default !== undefined) option.default(details.default)
  return option
}
