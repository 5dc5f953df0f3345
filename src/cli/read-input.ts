import { existsSync, readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { textOf } from '../adapters/files/file-text.ts'
import { jsonIn } from '../contract/json.ts'
import { UsageError } from './usage.ts'

/** Reads a JSON file; `-` is standard input. Errors never repeat its content, which may be a secret. */
export function readJsonFile(file: string, what: string): unknown {
  let text: string
  try {
    text = textOf(readFileSync(file === '-' ? 0 : file), true)
  } catch (error) {
    throw unreadable(file, error, `Name one with ${what} as JSON, or - for standard input.`)
  }
  const value = jsonIn(text)
  if (value !== undefined) return value
  const content = text.trim() === '' ? 'is empty' : 'is not JSON'
  throw new UsageError(`${file === '-' ? 'The input' : file} ${content}. It must be ${what} as JSON.`)
}

/** The reason why a file that was named cannot be read. `remedy` is a sentence. */
export function unreadable(file: string, error: unknown, remedy: string): UsageError {
  const { code = 'no reason given' } = error as NodeJS.ErrnoException
  const reasons: Record<string, string> = {
    ENOENT: `There is no file ${file}.`,
    ENOTDIR: `There is no file ${file}.`,
    EISDIR: `${file} is a folder.`,
    EACCES: `${file} may not be read by this user.`,
    ERR_ENCODING_INVALID_ENCODED_DATA: `${file} is not UTF-8: save it as UTF-8.`,
  }
  return new UsageError(`${reasons[code] ?? `${file} cannot be read (${code}).`} ${remedy}`)
}

const envRemedy = 'It must be a file with a variable on each line, such as PORT=3000.'

/** The variables of `.env` in the working directory; none without one. Throws a `UsageError` for one that cannot be read. */
export function envFile(): NodeJS.Dict<string> {
  if (!existsSync('.env')) return {}
  if (statSync('.env').isDirectory()) throw new UsageError(`.env is a folder. ${envRemedy}`)
  try {
    return parseEnv(textOf(readFileSync('.env'), true))
  } catch (error) {
    throw unreadable('.env', error, envRemedy)
  }
}

/** Adds them to the environment; what is set there stays. Throws as `envFile` does. */
export function loadEnvFile(): void {
  for (const [name, value] of Object.entries(envFile())) process.env[name] ??= value
}
