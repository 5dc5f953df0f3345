import { readFileSync } from 'node:fs'
import { jsonIn } from '../contract/json.ts'
import { UsageError } from './usage.ts'

/** Reads a JSON file; `-` is standard input. Errors never repeat its content, which may be a secret. */
export function readJsonFile(file: string, what: string): unknown {
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch {
    throw new UsageError(`There is no file ${file}. Name one with ${what} as JSON, or - for standard input.`)
  }
  const value = jsonIn(text)
  if (value !== undefined) return value
  throw new UsageError(`${file === '-' ? 'The input' : file} is not JSON, and nothing was changed.`)
}
