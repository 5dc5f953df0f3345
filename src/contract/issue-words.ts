import type { z } from 'zod'
import { cutTo } from './values.ts'

const kinds: Record<string, string> = {
  array: 'a list',
  bigint: 'a whole number',
  boolean: 'true or false',
  date: 'a date',
  int: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
  tuple: 'a list',
}

const forms: Record<string, string> = { url: 'an address', email: 'an email address', datetime: 'a time' }
const longestName = 64
const mostNames = 5

/**
 * The fault in words for people, to stand behind its path: `is missing`, `must be text`. A message of the schema's own stays as it is; only
 * zod's own texts are replaced. Names what was expected, and never the value.
 */
export function issueWords(issue: z.core.$ZodIssue): string {
  const { message } = issue
  const isOwnText = /^(Invalid |Too (small|big)|Unrecognized key|Invalid input$)/.test(message)
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? 'has a wrong name'
  if (issue.code === 'invalid_union') return isOwnText ? wordsOfUnion(issue.errors) : message
  return isOwnText ? wordsOf(issue) : message
}

/** The kinds that a value of several forms may have, where they are few: `must be a number or text`. */
function wordsOfUnion(errors: readonly (readonly z.core.$ZodIssue[])[]): string {
  // A form whose member is wrong is one of the kind that was given.
  const ofForms = errors.map(([first]) => (first?.path.length === 0 ? kindsNamed(first) : []))
  const named = ofForms.flat()
  const all = ofForms.every((kinds) => kinds.length > 0)
  if (!all || named.length < 2 || named.length > mostNames) return 'matches no accepted form'
  const kinds = [...new Set(named)]
  return `must be ${kinds.length === 1 ? kinds[0] : `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`}`
}

/** The kind or the values that a form expected; none where the value is of its kind. */
const kindsNamed = (issue: z.core.$ZodIssue): string[] =>
  issue.code === 'invalid_type'
    ? [kindOf(issue.expected)]
    : issue.code === 'invalid_value'
      ? issue.values.map(valueWord)
      : []

function wordsOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? 'is missing' : `must be ${kindOf(issue.expected)}`
    case 'too_small':
      return bound(issue.origin, Number(issue.minimum), issue.inclusive !== false, 'least')
    case 'too_big':
      return bound(issue.origin, Number(issue.maximum), issue.inclusive !== false, 'most')
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(valueWord).join(', ')}`
    case 'invalid_format':
      return issue.format in forms ? `must be ${forms[issue.format]}` : 'has the wrong form'
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `has unknown members: ${issue.keys
        .slice(0, mostNames)
        .map((name) => cutTo(name, longestName))
        .join(', ')}`
    default:
      return 'is not valid'
  }
}

const valueWord = (value: unknown): string => (value === '' ? 'empty' : String(value))

const kindOf = (expected: string): string =>
  kinds[expected] ?? `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`

/** A limit of a number, of a length or of a count. */
function bound(origin: string, limit: number, inclusive: boolean, which: 'least' | 'most'): string {
  const nouns: Record<string, [one: string, more: string]> = {
    string: ['character', 'characters'],
    array: ['entry', 'entries'],
  }
  const noun = nouns[origin]
  if (!noun) {
    const words = which === 'least' ? ['or more', 'above'] : ['or less', 'below']
    return inclusive ? `must be ${limit} ${words[0]}` : `must be ${words[1]} ${limit}`
  }
  if (which === 'least' && limit === 1) return 'must not be empty'
  return `must have at ${which} ${limit} ${noun[limit === 1 ? 0 : 1]}`
}
