import { readFileSync } from 'node:fs'
import { UsageError } from './usage.ts'

/** Reads a JSON file; `-` is standard input. Errors never repeat its content, which may be a secret. */
export function readJsonFile(file: string, what: string): unknown {
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch {
    throw new UsageError(`There is no file ${file}. Name one with ${what} as JSON, or - for standard input.`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${file === '-' ? 'The input' : file} is not JSON, and nothing was changed.`)
  }
}
