import type { Fits } from './fits.ts'

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
  default?: unknown
  required?: boolean
  /** Hidden from `--help`. */
  hidden?: boolean
  /** The other options, by their names in camel case, that cannot stand beside it. */
  conflicts?: readonly string[]
}

type Further = Pick<OptionDetails, 'default' | 'required'>

/** An option whose value is read; `parse` throws commander's `InvalidArgumentError`. */
export const parsed = <Value, const More extends Further = object>(
  description: string,
  parse: (text: string) => Value,
  further?: More,
) => ({ description, parse, ...(further as More) })

export const oneOf = <const Choices extends readonly string[], const More extends Further = object>(
  description: string,
  choices: Choices,
  further?: More,
) => ({ description, choices, ...(further as More) })

type Run = (...given: never[]) => unknown

/** A command with its function, which gets what the table says. */
export const commandOf = <const One extends Command & Required<Pick<Command, 'load'>>>(
  command: One & Fits<One, Awaited<ReturnType<One['load']>>>,
): Command => command

/** The function of a command: the one that it loads, or the one that the module exports under its name. */
type Loaded<Module, Name, One> = One extends { load: () => Promise<infer Function> }
  ? Function
  : Name extends keyof Module
    ? Module[Name]
    : undefined

/** The commands of a group. Each runs what the module exports under its name, unless it loads another function. */
export function commandsOf<Module, const Commands extends Readonly<Record<string, Command>>>(
  module: () => Promise<Module>,
  commands: Commands & {
    [Name in keyof Commands]: Fits<Commands[Name], Loaded<Module, Name, Commands[Name]>>
  },
): Record<string, Command> {
  const own = (name: string) => async () => (await module())[name as keyof Module] as Run
  return Object.fromEntries(
    Object.entries<Command>(commands).map(([name, command]) => [name, { load: own(name), ...command }]),
  )
}
