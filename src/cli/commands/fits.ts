// Types read the table of a command: its function, which the help does not load, has to take exactly what the flags and arguments give.

/** The name that commander gives an option: `dryRun` of `-n, --dry-run`, `check` of `--no-check`. */
type NameOf<Flags> = Flags extends `${string}--${infer Long}`
  ? Long extends `no-${infer Name}`
    ? Camel<Name>
    : Long extends `${infer Name} ${string}`
      ? Camel<Name>
      : Camel<Long>
  : never

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

type ValueOf<Flags, Details> = Flags extends `${string}...>`
  ? OneOf<Details>[]
  : Flags extends `${string}<${string}>`
    ? OneOf<Details>
    : boolean

type OneOf<Details> = Details extends { parse: (text: string) => infer Value }
  ? Value
  : Details extends { choices: readonly (infer Choice)[] }
    ? Choice
    : string

/** Options that always have a value. */
type Sure<Options> = {
  [Flags in keyof Options]: Flags extends `--no-${string}`
    ? Flags
    : Options[Flags] extends { required: true } | { default: unknown }
      ? Flags
      : never
}[keyof Options]

/** The options of a command as its function gets them. */
type Given<Options> = {
  [Flags in Sure<Options> as NameOf<Flags>]: ValueOf<Flags, Options[Flags]>
} & { [Flags in Exclude<keyof Options, Sure<Options>> as NameOf<Flags>]?: ValueOf<Flags, Options[Flags]> }

type Part<Of, Name extends string> = Of extends Readonly<Record<Name, infer Value>> ? Value : object

/** As many of these as a union has members. */
type Each<Union, Is> = [Union] extends [never]
  ? []
  : LastOf<Union> extends infer Last
    ? [...Each<Exclude<Union, Last>, Is>, Is]
    : never
type LastOf<Union> = (Union extends unknown ? (_: () => Union) => void : never) extends (_: infer All) => void
  ? All extends () => infer Last
    ? Last
    : never
  : never

/** `unknown` where the function takes the arguments of the command and reads all of its options, and a sentence where it does not. */
export type Fits<Command, Run> = Run extends (...given: infer Takes) => unknown
  ? Required<Takes> extends [...Each<keyof Part<Command, 'arguments'>, unknown>, infer Options, ...unknown[]]
    ? FitsOptions<Part<Command, 'options'>, Options>
    : keyof Part<Command, 'options'> extends never
      ? unknown
      : { options: 'the function takes no options behind the arguments' }
  : { load: 'this loads no function' }

type FitsOptions<Options, Read> = [Exclude<NameOf<keyof Options>, keyof Read>] extends [never]
  ? [Exclude<keyof Read, NameOf<keyof Options>>] extends [never]
    ? Given<Options> extends Read
      ? unknown
      : { options: ['the function reads', Read, 'and gets', Given<Options>] }
    : { options: ['no option gives', Exclude<keyof Read, NameOf<keyof Options>>] }
  : { options: ['the function does not read', Exclude<NameOf<keyof Options>, keyof Read>] }
