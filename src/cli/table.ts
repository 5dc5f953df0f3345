import { InvalidArgumentError } from 'commander'
import { isCurrency } from '../money/amount.ts'
import type { Inspection } from '../provider/inspection.ts'
import type { Provider } from '../provider/provider.ts'
import { withoutSlash } from '../shops/shop.ts'
import type { StorePort } from '../store-port.ts'
import { systemUser } from './serve/system-user.ts'
import { UsageError } from './terminal/usage.ts'

/** A command or a group of commands, as help, completion, documentation and checks read it. Whatever takes long to load, its `run` imports. */
export interface Command {
  description: string
  /** Calls as somebody types them; `--help` ends with them. Those of a group are the first of each command in it. */
  examples?: readonly string[]
  /** By their syntax: `<file>` is required, `[file]` is optional, `<name...>` takes several. */
  arguments?: Options
  /** By their flags: `-p, --port <number>`. */
  options?: Options
  /** Gets arguments and options by their names in camel case. */
  run?: (given: never) => unknown
  /** Whether it also runs on a Node that is too old for providers. */
  onOlderNode?: boolean
  /** Whether it reports what the log lines of a provider would say, so that none is printed. */
  silent?: boolean
  commands?: Readonly<Record<string, Command>>
}

export type Options = Readonly<Record<string, string | OptionDetails>>

export interface OptionDetails {
  description: string
  /** Reads the value, or throws commander's `InvalidArgumentError`. */
  parse?: (text: string) => unknown
  choices?: readonly string[]
  default?: unknown
  required?: boolean
  /** The other options, by their names in camel case, that cannot stand beside it. */
  conflicts?: readonly string[]
}

/** An option whose value is read; `parse` throws commander's `InvalidArgumentError`. */
export const parsed = <Value, const More extends object = object>(
  description: string,
  parse: (text: string) => Value,
  further?: More,
) => ({ description, parse, ...(further as More) })

export const oneOf = <const Choice extends string, const More extends object = object>(
  description: string,
  choices: readonly Choice[],
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

type None = Record<never, never>
type Runnable<A, O, Run> = Omit<Command, 'arguments' | 'options' | 'run'> & {
  arguments?: A
  options?: O
  run: Run
}

/** A command whose function gets what its table says. */
export const plain = <const A extends Options = None, const O extends Options = None>(
  one: Runnable<A, O, (given: Given<A> & Given<O>) => unknown>,
): Command => one

/** A word with commands below it. */
export const group = (description: string, commands: Command['commands']): Command => {
  return { description, commands }
}

// Readers of the values of options. For an invalid value they say what the option takes.

export const reader =
  <Value>(takes: string, read: (text: string) => Value | undefined) =>
  (text: string): Value => {
    const value = read(text)
    if (value === undefined) throw new InvalidArgumentError(takes)
    return value
  }

export const numberOf = (takes: string, pattern: RegExp, most = Number.POSITIVE_INFINITY) =>
  reader(takes, (text) => (pattern.test(text) && Number(text) <= most ? Number(text) : undefined))

export const textOf = (takes: string, fits: RegExp | ((text: string) => boolean)) =>
  reader(takes, (text) => ((typeof fits === 'function' ? fits(text) : fits.test(text)) ? text : undefined))

export const port = numberOf('A port is a whole number from 0 to 65535; 0 takes a free one.', /^\d+$/, 65535)
export const count = numberOf('Write a whole number of 1 or more.', /^[1-9]\d{0,6}$/)
export const decimal = textOf('Write a decimal with a point, such as 49.95.', /^\d{1,12}(\.\d{1,4})?$/)
export const httpsUrl = reader('Write an https address, such as https://my-tunnel.example.', (text) =>
  URL.parse(text)?.protocol === 'https:' ? withoutSlash(text) : undefined,
)
export const isHttp = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')
export const httpUrl = textOf('Write an http or https address.', isHttp)
/** The address in a variable of the environment. Throws a `UsageError` for one that is none. */
export function httpUrlIn(variable: string, otherwise: string): string {
  const url = process.env[variable] ?? otherwise
  if (isHttp(url)) return url
  throw new UsageError(`${variable} holds no http or https address: ${url}`)
}
export const span = textOf('Write a time such as 5s, 10m, 2h, 1d or 1month.', /^\d{1,4}(s|m|h|d|month)s?$/)
export const currency = reader('Write a code of ISO 4217, such as eur.', (text) =>
  isCurrency(text) ? text.toLowerCase() : undefined,
)

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time, given the time that the processes of the store share. Both are in milliseconds since 1970. */
export type Moment = (now: number) => number

/** `30m`, `2h` and `7d` ago, or a date. A machine's own clock may be wrong, so the command counts from the time of its store. */
export const moment = reader(
  'Write how long ago, such as 30m, 2h or 7d, or a date such as 2026-03-02T10:00Z.',
  (text): Moment | undefined => {
    const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
    if (unit) return (now) => now - Number(number) * units[unit]!
    const at = isoMoment(text)
    return at === undefined ? undefined : () => at
  },
)

/** A date in the order of ISO 8601, at midnight UTC where no time is named. Other orders are ambiguous. */
export function isoMoment(text: string): number | undefined {
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ?? []
  const exists = day !== undefined && new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)
  const at = exists ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

// Options and arguments that several commands share.

export const json = { '--json': 'print one JSON value' }
export const readyAsJson = { '--json': 'print the ready line as JSON' }
export const onlyShop = { '--shop <id>': 'only this shop' }
export const shopOfOrder = { '--shop <id>': 'the shop of the order; default: the one that has it' }
export const limit = { '--limit <number>': parsed('maximum number of lines', count, { default: 50 }) }
export const provider = { '--provider <file>': 'default: provider.ts or src/provider.ts' }
export const place = {
  '--country <code>': 'where the customers live; default: nl',
  '--zipcode <zipcode>': 'their zipcode; default: an example of the country',
  '--currency <code>': parsed('currency of the shop; default: eur', currency),
}
export const dryRun = { '--dry-run': 'show what would change, and change nothing' }
export const yes = { '-y, --yes': 'ask no questions' }

/** The names that one payment has, for a command about it. */
export const paymentName =
  'order id or number, reference, event of the service, attempt id, code on a payment page, amount or page token'

// Kinds of commands. What they need is loaded when they run.

type Json = Given<typeof json>
type Own = Json & Given<typeof provider>
/** The author of its changes, for the audit trail. */
type Signed = { by: string }

type OnStore<Given> = (given: Given, store: StorePort, now: number) => Promise<unknown>

/** A command on the store. A shop that `--shop` names is there. `now` is the time of the store, in milliseconds since 1970. */
export const onStore = <const A extends Options = None, const O extends Options = None>(
  one: Runnable<A, O, OnStore<Given<A> & Given<O> & Json & Signed>>,
): Command => ({
  ...one,
  options: { ...one.options, ...json },
  async run(given: Given<A> & Given<O> & Json & { shop?: string }) {
    const { withStore } = await import('./provider/store.ts')
    const shop = '--shop <id>' in (one.options ?? {}) ? given.shop : undefined
    await withStore((store, now) => one.run({ ...given, by: systemUser() }, store, now), { shop })
  },
})

type OnProvider<Given> = (given: Given, provider: Provider, inspection: () => Inspection) => Promise<unknown>

export const onProvider = <const A extends Options = None, const O extends Options = None>(
  one: Runnable<A, O, OnProvider<Given<A> & Given<O> & Own & Signed>>,
): Command => ({
  ...one,
  options: { ...provider, ...json, ...one.options },
  async run(given: Given<A> & Given<O> & Own) {
    const { withProvider } = await import('./provider/with-provider.ts')
    const how = { provider: given.provider, silent: one.silent }
    const signed = { ...given, by: systemUser() }
    await withProvider(how, (lent, inspection) => one.run(signed, lent, inspection))
  },
})

const shop = { '<shop>': 'the id of the shop' }

/** The same about one of its shops. */
export const ofShop = <const A extends Options = None, const O extends Options = None>(
  one: Runnable<A, O, OnProvider<Given<typeof shop & A> & Given<O> & Own & Signed>>,
): Command => onProvider<typeof shop & A, O>({ ...one, arguments: { ...shop, ...(one.arguments as A) } })
