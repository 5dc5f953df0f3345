import { printable } from '../printable.ts'
import { UsageError } from './usage.ts'

/** Asks before something is done, unless `--yes` was given. Without a terminal nobody can be asked. */
export async function confirmed(question: string, yes: boolean | undefined): Promise<boolean> {
  if (yes) return true
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) {
    throw new UsageError('There is nobody to ask here, and nothing was changed. Say it with --yes.')
  }
  const { confirm, isCancel } = await import('@clack/prompts')
  const answer = await confirm({ message: printable(question) })
  return !isCancel(answer) && answer
}
