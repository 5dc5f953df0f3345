import { commands } from '../../src/cli/groups.ts'
import type { Command } from '../../src/cli/table.ts'

/** The table of the command line, loaded whole. */
export async function loadCommands(): Promise<Record<string, Command>> {
  const entries = Object.entries(commands).map(
    async ([name, load]) => [name, (await load()).command] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

/** The words that name each command and each group, in the order of the table. */
export async function commandNames(): Promise<string[][]> {
  const below = (path: string[], { commands: groups = {} }: Command): string[][] => [
    path,
    ...Object.entries(groups).flatMap(([name, command]) => below([...path, name], command)),
  ]
  return Object.entries(await loadCommands()).flatMap(([name, command]) => below([name], command))
}
