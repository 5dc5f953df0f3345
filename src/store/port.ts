import type { StoreConnection } from './connection.ts'
import type { Command } from './query.ts'

/** No caller waits for `patient` ones: they may wait a few milliseconds, so that more of them share a commit. */
export type CommandKind = 'read' | 'write' | 'patient'

// biome-ignore lint/suspicious/noExplicitAny: any command
type AnyCommand = (...args: any[]) => Command<unknown>

const marked =
  <Kind extends CommandKind>(kind: Kind) =>
  <Of extends AnyCommand>(command: Of): Of & { kind: Kind } =>
    Object.assign(command, { kind })
export const read = marked('read')
export const write = marked('write')
export const patient = marked('patient')

/** The commands of a store, each as a promise. Members without a kind are for other commands. */
export type PortOf<Commands> = {
  [Name in keyof Commands as Commands[Name] extends { kind: CommandKind }
    ? Name
    : never]: Commands[Name] extends (...args: infer Args) => Command<infer Result>
    ? (...args: Args) => Promise<Result>
    : never
} & StoreConnection

/** Builds the commands of a store from one function that runs any of them. */
export function portOf<Commands extends object>(
  commands: Commands,
  run: (kind: CommandKind, command: () => Command<unknown>, name: string) => Promise<unknown>,
): Omit<PortOf<Commands>, keyof StoreConnection> {
  const all = Object.entries(commands) as [string, AnyCommand & { kind?: CommandKind }][]
  const port = all.flatMap(([name, command]) =>
    command.kind ? [[name, (...args: unknown[]) => run(command.kind!, () => command(...args), name)]] : [],
  )
  return Object.fromEntries(port)
}
