import { printable } from '../../printable.ts'
import { withoutProgress } from './progress.ts'
import { UsageError } from './usage.ts'

/** Asks for confirmation unless `--yes` was given. Without a terminal it is wrong usage. */
export async function confirmed(question: string, yes: boolean | undefined): Promise<boolean> {
  if (yes) return true
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true)
    throw new UsageError(
      'This needs confirmation, and there is no terminal to ask on. Nothing was changed. Confirm with --yes.',
    )
  const { confirm, isCancel } = await import('@clack/prompts')
  const answer = await withoutProgress(() => confirm({ message: printable(question) }))
  return !isCancel(answer) && answer
}
