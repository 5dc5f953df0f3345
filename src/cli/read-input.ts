import { readFileSync } from 'node:fs'
import { UsageError } from './usage.ts'

/** Reads a file of JSON; `-` is standard input. Tells nothing of what stands there: it may be a secret. */
export function readJsonFile(file: string, what: string): unknown {
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch {
    throw new UsageError(`There is no file ${file}. Name one with ${what} as JSON, or - for input.`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${file === '-' ? 'The input' : file} is no JSON, and nothing was changed.`)
  }
}
