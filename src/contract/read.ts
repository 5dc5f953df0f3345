import type { z } from 'zod'
import { issueWords } from './issue-words.ts'
import { cutTo } from './lengths.ts'
import { type FieldFault, Problem } from './problem.ts'

const MAX_DEPTH = 32
/** Enough for a cart of 2,000 lines with 48 fields each. */
const MAX_NODES = 100_000
/** The longest part of a caller's own key that is repeated in a path, in characters. */
const MAX_NAME_LENGTH = 64
/**
 * Checks a parsed body before anything else walks it. Refuses more than 32 levels, more than 100,000 values, and whole numbers that JSON
 * cannot carry exactly: two order ids must never become one. Drops keys that reach into prototypes.
 */
export function cleanBody(body: unknown): void {
  if (typeof body === 'object' && body !== null) new Walk().clean(body)
}

class Walk {
  readonly #path: PropertyKey[] = []
  #left = MAX_NODES

  clean(node: object): void {
    if (this.#path.length === MAX_DEPTH) refuse('$', `is nested deeper than ${MAX_DEPTH} levels`)
    const isList = Array.isArray(node)
    for (const name in node) {
      if (name === '__proto__' || name === 'constructor' || name === 'prototype') {
        delete node[name as never]
        continue
      }
      if (--this.#left < 0) refuse('$', `holds more than ${MAX_NODES} values`)
      const value: unknown = node[name as never]
      this.#path.push(isList ? Number(name) : name)
      if (typeof value === 'object' && value !== null) this.clean(value)
      else if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
        refuse(jsonPath(this.#path), 'is beyond 2^53, where JSON cannot carry whole numbers exactly')
      this.#path.pop()
    }
  }
}

function refuse(path: string, message: string): never {
  throw new Problem('BODY_INVALID', { faults: [{ path, message }] })
}

/** Reads a message or throws `BODY_INVALID` with the path of every fault, and never with a value. */
export function readMessage<T extends z.ZodType>(reader: T, body: unknown): z.output<T> {
  const result = reader.safeParse(body)
  if (result.success) return result.data
  throw new Problem('BODY_INVALID', { faults: faultsOf(result.error) })
}

/** The faults a schema found, as paths such as `quote.products[2].price_incl`. */
export function faultsOf(error: z.core.$ZodError): FieldFault[] {
  return error.issues.slice(0, 20).map((issue) => ({
    path: jsonPath(issue.path),
    message: issueWords(issue),
  }))
}

function jsonPath(path: PropertyKey[]): string {
  if (path.length === 0) return '$'
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    const name = cutTo(String(key), MAX_NAME_LENGTH)
    return text === '' ? name : `${text}.${name}`
  }, '')
}
