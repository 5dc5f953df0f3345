import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { jsonIn } from '../../contract/texts.ts'
import { realFolder, shownPath } from '../../observability/source-faults/source-lines.ts'
import { findingText } from '../../rates/tariffs/lint.ts'
import type { LintFinding } from '../../rates/tariffs/lint-zones.ts'
import { timed } from '../provider/fault.ts'
import { extension } from '../provider/file.ts'

const main = fileURLToPath(new URL(`../main.${extension}`, import.meta.url))

/** Shows the findings of `rates lint` in the tariffs of a running provider. A process of its own looks for them, so that no start waits for it. */
export class TariffReviews {
  readonly #folder = realFolder(process.cwd())
  readonly #after: number
  /** The stamp of each file when it was looked through, and the line that was shown. */
  readonly #reviewed = new Map<string, { stamp: string; line: string | undefined }>()
  #last: Promise<void> = Promise.resolve()
  readonly #closing = new AbortController()

  /** It begins `after` a while, in milliseconds: the shop opens and the next save is seen first. */
  constructor(after = 1_000) {
    this.#after = after
  }

  /** Looks through the files that have changed since the last time. They are absolute paths. Resolves when their lines are shown; never rejects. */
  review(files: readonly string[]): Promise<void> {
    for (const file of files) this.#last = this.#last.then(() => this.#one(file))
    return this.#last
  }

  close(): void {
    this.#closing.abort()
  }

  async #one(file: string): Promise<void> {
    await sleep(this.#after, undefined, { ref: false })
    const stamp = stampOf(file)
    const before = this.#reviewed.get(file)
    const { signal } = this.#closing
    if (signal.aborted || stamp === undefined || before?.stamp === stamp) return
    const line = await this.#lint(file)
    if (signal.aborted) return
    this.#reviewed.set(file, { stamp, line })
    if (line !== undefined && line !== before?.line) console.error(timed('yellow', line))
  }

  async #lint(file: string): Promise<string | undefined> {
    const { signal } = this.#closing
    const how = { maxBuffer: Number.POSITIVE_INFINITY, signal, killSignal: 'SIGKILL' } as const
    const linting = promisify(execFile)(process.execPath, [main, 'rates', 'lint', file, '--json'], how)
    // Findings end it with 1. A tariff with faults has none: the start of the provider shows those.
    const { stdout } = await linting.catch((error: { stdout?: string }) => error)
    const { findings = [] } = Object(jsonIn(stdout ?? '')) as { findings?: LintFinding[] }
    const [first, ...others] = findings
    if (first === undefined) return undefined
    const shown = shownPath(file, this.#folder)
    const more = others.length === 0 ? '' : `, and ${others.length} more: purveyor rates lint ${shown}`
    return findingText(shown, first) + more
  }
}

function stampOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stats && [stats.ino, stats.size, stats.mtimeNs].join(' ')
}
