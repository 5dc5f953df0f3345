import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { jsonIn } from '../../contract/texts.ts'
import { fileFault } from '../../file-fault.ts'
import { printable } from '../../printable.ts'
import { textOf } from '../../rates/files/file-text.ts'
import { withoutProgress } from './progress.ts'
import { UsageError } from './usage.ts'

/** The text of a file; `-` is standard input. `remedy` is a sentence. Errors never repeat the content, which may be a secret. */
export function readText(file: string, remedy: string): string {
  try {
    return textOf(readFileSync(file === '-' ? 0 : file), true)
  } catch (error) {
    throw unreadable(file, (error as NodeJS.ErrnoException).code, remedy)
  }
}

/** Reads a JSON file as `readText` does. */
export function readJsonFile(file: string, what: string): unknown {
  const text = readText(file, `Name one with ${what} as JSON, or - for standard input.`)
  const value = jsonIn(text)
  if (value !== undefined) return value
  const content = text.trim() === '' ? 'is empty' : 'is not JSON'
  throw new UsageError(`${file === '-' ? 'The input' : file} ${content}. It must be ${what} as JSON.`)
}

/** The reason why a file that was named cannot be read. `remedy` is a sentence. */
export function unreadable(file: string, code: string | undefined, remedy: string): UsageError {
  const own: Record<string, string> = {
    EISDIR: 'is a folder',
    ERR_ENCODING_INVALID_ENCODED_DATA: 'is not UTF-8: save it as UTF-8',
  }
  const fault = own[`${code}`] ?? fileFault(file, code)
  return new UsageError(`${file} ${fault}${fault.endsWith('?') ? '' : '.'} ${remedy}`)
}

/** The variables of `.env` in the working directory; none without one. Throws a `UsageError` for one that cannot be read. */
export const envFile = (): NodeJS.Dict<string> =>
  existsSync('.env')
    ? parseEnv(readText('.env', 'It must be a file with a variable on each line, such as PORT=3000.'))
    : {}

/** Adds them to the environment; what is set there stays. Throws as `envFile` does. */
export function loadEnvFile(): void {
  for (const [name, value] of Object.entries(envFile())) process.env[name] ??= value
}

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
