import { existsSync, readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { textOf } from '../adapters/files/file-text.ts'
import { unreadable } from './read-input.ts'
import { UsageError } from './usage.ts'

const remedy = 'It must be a file with a variable on each line, such as PORT=3000.'

/** The variables of `.env` in the working directory; none without one. Throws a `UsageError` for one that cannot be read. */
export function envFile(): NodeJS.Dict<string> {
  if (!existsSync('.env')) return {}
  if (statSync('.env').isDirectory()) throw new UsageError(`.env is a folder. ${remedy}`)
  try {
    return parseEnv(textOf(readFileSync('.env'), true))
  } catch (error) {
    throw unreadable('.env', error, remedy)
  }
}

/** Adds them to the environment; what is set there stays. Throws as `envFile` does. */
export function loadEnvFile(): void {
  for (const [name, value] of Object.entries(envFile())) process.env[name] ??= value
}
