/** A command as `--help` shows it, or a group of commands. The code that it runs is in another file, so that help loads little. */
export interface Command {
  /** One line, as `--help` shows it. */
  description: string
  /** By their syntax: `<file>` is required, `[file]` is optional, `<name...>` takes several. */
  arguments?: Readonly<Record<string, string>>
  /** By their flags: `-p, --port <number>`. */
  options?: Readonly<Record<string, string | OptionDetails>>
  /** Loads the function of the command, which gets the arguments in their order, then the options. */
  load?: () => Promise<Run>
  /** Whether it also runs on a Node that is too old for providers. */
  onOlderNode?: boolean
  commands?: Readonly<Record<string, Command>>
}

export interface OptionDetails {
  description: string
  /** Reads the value, or throws commander's `InvalidArgumentError`. */
  parse?: (text: string) => unknown
  choices?: readonly string[]
  /** Words that are refused, each with the choice to write instead. */
  renamed?: Readonly<Record<string, string>>
  default?: unknown
  required?: boolean
  /** Hidden from `--help`. */
  hidden?: boolean
  /** The other options, by their names in camel case, that cannot stand beside it. */
  conflicts?: readonly string[]
}

type Further = Pick<OptionDetails, 'default' | 'renamed' | 'required'>

/** An option whose value is read; `parse` throws commander's `InvalidArgumentError`. */
export const parsed = (
  description: string,
  parse: (text: string) => unknown,
  further?: Further,
): OptionDetails => ({ description, parse, ...further })

export const oneOf = (description: string, choices: readonly string[], further?: Further): OptionDetails => ({
  description,
  choices,
  ...further,
})

type Run = (...given: never[]) => unknown

/** The commands of a group. Each runs what the module exports under its name, unless it loads another function. */
export function commandsOf<Module, Name extends string>(
  module: () => Promise<Module>,
  commands: { [N in Name]: N extends keyof Module ? Command : Command & Required<Pick<Command, 'load'>> },
): Record<string, Command> {
  const own = (name: string) => async () => (await module())[name as keyof Module] as Run
  return Object.fromEntries(
    Object.entries<Command>(commands).map(([name, command]) => [name, { load: own(name), ...command }]),
  )
}
