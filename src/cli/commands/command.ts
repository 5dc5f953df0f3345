/** A command as the command line shows it, or a group of commands. It stands apart from what it runs, so that help loads little. */
export interface Command {
  /** One line, as `--help` shows it. */
  description: string
  /** By how they are written: `<file>` must be there, `[file]` may be, `<name...>` takes several. */
  arguments?: Readonly<Record<string, string>>
  /** By their flags: `-p, --port <number>`. */
  options?: Readonly<Record<string, string | OptionDetails>>
  /** Loads the function that does it. The function gets the arguments in their order, then the options. */
  load?: () => Promise<Run>
  /** Also on a Node that is too old for providers. */
  onOlderNode?: boolean
  /** The commands of a group, by name. */
  commands?: Readonly<Record<string, Command>>
}

export interface OptionDetails {
  description: string
  /** Reads the value, or throws commander's `InvalidArgumentError`. */
  parse?: (text: string) => unknown
  choices?: readonly string[]
  default?: unknown
  required?: boolean
  /** Left out of `--help`. */
  hidden?: boolean
}

export type Run = (...given: never[]) => unknown
