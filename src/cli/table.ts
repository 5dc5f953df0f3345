/** A command or a group of commands, as help, completion, documentation and checks read it. Whatever takes long to load, its `run` imports. */
export interface Command {
  /** One line, as `--help` shows it. */
  description: string
  /** Calls as somebody types them; `--help` ends with them. Those of a group are the first of each command in it. */
  examples?: readonly string[]
  /** By their syntax: `<file>` is required, `[file]` is optional, `<name...>` takes several. */
  arguments?: Arguments
  /** By their flags: `-p, --port <number>`. */
  options?: Options
  /** Gets arguments and options by their names in camel case. */
  run?: (given: never) => unknown
  /** Whether it also runs on a Node that is too old for providers. */
  onOlderNode?: boolean
  commands?: Readonly<Record<string, Command>>
}

export type Arguments = Readonly<Record<string, string>>
export type Options = Readonly<Record<string, string | OptionDetails>>

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

/** The name that commander gives an option or an argument: `dryRun` of `-n, --dry-run`, `check` of `--no-check`, `file` of `[file...]`. */
type NameOf<Syntax> = Syntax extends `${string}--no-${infer Name}`
  ? Camel<Name>
  : Syntax extends `${string}--${infer Name} ${string}` | `${string}--${infer Name}`
    ? Camel<Name>
    : Syntax extends `${'<' | '['}${infer Name}...${string}` | `<${infer Name}>` | `[${infer Name}]`
      ? Name
      : never

type Camel<Name extends string> = Name extends `${infer First} ${string}`
  ? Camel<First>
  : Name extends `${infer First}-${infer Rest}`
    ? `${First}${Capitalize<Camel<Rest>>}`
    : Name

type ValueOf<Syntax, Details> = Syntax extends `${string}...${string}`
  ? OneOf<Details>[]
  : Syntax extends `${string}${'<' | '['}${string}`
    ? OneOf<Details>
    : boolean

type OneOf<Details> = Details extends { parse: (text: string) => infer Value }
  ? Value
  : Details extends { choices: readonly (infer Choice)[] }
    ? Choice
    : string

/** Those that always have a value. */
type Sure<Of> = {
  [Syntax in keyof Of]: Syntax extends `--no-${string}` | `<${string}` | `[${string}...]`
    ? Syntax
    : Of[Syntax] extends { required: true } | { default: unknown }
      ? Syntax
      : never
}[keyof Of]

/** Arguments or options as the function of their command gets them. */
export type Given<Of> = { [Syntax in Sure<Of> as NameOf<Syntax>]: ValueOf<Syntax, Of[Syntax]> } & {
  [Syntax in Exclude<keyof Of, Sure<Of>> as NameOf<Syntax>]?: ValueOf<Syntax, Of[Syntax]>
}

/** A command that is run. */
export interface Runnable<OfArguments, OfOptions, Run>
  extends Omit<Command, 'arguments' | 'options' | 'run'> {
  arguments?: OfArguments
  options?: OfOptions
  run: Run
}

export type None = Record<never, never>

/** A command whose function gets what its table says. */
export const plain = <const A extends Arguments = None, const O extends Options = None>(
  one: Runnable<A, O, (given: Given<A> & Given<O>) => unknown>,
): Command => one
