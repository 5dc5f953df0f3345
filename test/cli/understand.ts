import { Command, CommanderError } from 'commander'
import { addCommand } from '../../src/cli/build.ts'
import type { Command as OwnCommand } from '../../src/cli/table.ts'

/** Words as a shell splits them; `<order>` stands for a word. */
export const wordsOf = (line: string): string[] =>
  (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, '$2'))

const parsed = new Error('the command line was understood')

/** What commander says of a command line that it does not understand; `undefined` of others. Runs nothing. */
export async function misunderstood(
  commands: Readonly<Record<string, OwnCommand>>,
  words: readonly string[],
): Promise<string | undefined> {
  const program = new Command('purveyor').exitOverride().configureOutput({ writeErr() {}, writeOut() {} })
  for (const [name, command] of Object.entries(commands))
    addCommand(program, name, command, () => {
      throw parsed
    })
  // Commands below inherit what is set before they are added; commander copies settings on creation only.
  return program.parseAsync(words, { from: 'user' }).then(
    () => undefined,
    (error: Error) => {
      const isHelp = error instanceof CommanderError && error.exitCode === 0
      return error === parsed || isHelp ? undefined : error.message
    },
  )
}
