import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { Problem, type ProblemCode, problems } from '../../src/contract/index.ts'

const codes = Object.keys(problems) as ProblemCode[]

test.each(['NOPE', 'constructor', undefined])('the code %s is refused with those that there are', (code) => {
  const message = expect.stringMatching(
    /^new Problem\(\): the code must be one of BODY_UNREADABLE, NOT_FOUND, /,
  )
  const refused = expect.objectContaining({ code: 'ARGUMENT_INVALID', message })
  expect(() => new Problem(code as never)).toThrow(refused)
})

describe.each(codes)('%s', (code) => {
  const { status, title, remedy } = problems[code]

  test('has the status of an error', () => {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
  })

  test('says in a sentence what is wrong, and in another what to do about it', () => {
    expect(title).toMatch(/^[A-Z].{10,}\.$/)
    expect(remedy).toMatch(/^[A-Z].{10,}\.$/)
    expect(remedy).not.toBe(title)
  })

  test('is answered as problem+json', () => {
    const problem = new Problem(code)
    expect(problem.status).toBe(status)
    expect(problem.message).toBe(`${title} ${remedy}`)
    const type = `urn:purveyor:problem:${code}`
    expect(JSON.parse(JSON.stringify(problem))).toEqual({ type, title, status, code, detail: remedy })
  })

  test('says when to come back if it says to come back', () => {
    const { retryAfter } = new Problem(code)
    if (status === 429 || status === 503) expect(Number.isInteger(retryAfter) && retryAfter! > 0).toBe(true)
    else expect(retryAfter).toBeUndefined()
    expect(remedy.includes('Retry-After')).toBe(retryAfter !== undefined)
    expect(new Problem(code, { retryAfter: 30 }).retryAfter).toBe(30)
  })
})

describe('a problem', () => {
  test('carries the faults of the fields', () => {
    const faults = [{ path: 'quote.products[2].price_incl', message: 'is missing' }]
    const body = JSON.parse(JSON.stringify(new Problem('BODY_INVALID', { faults })))
    expect(body).toMatchObject({ code: 'BODY_INVALID', status: 422, errors: faults })
  })

  test('names its code once where it is printed', () => {
    const printed = inspect(new Problem('BODY_INVALID', { faults: [{ path: '$', message: 'is missing' }] }))
    expect(printed.match(/BODY_INVALID/g)).toHaveLength(1)
    expect(new Problem('BODY_INVALID')).not.toHaveProperty('errors')
  })

  test('is an Error with a cause, and never answers the cause or a stack', () => {
    const cause = new Error('canary: password of the database')
    const problem = new Problem('STORE_UNAVAILABLE', { cause })
    expect(problem).toBeInstanceOf(Error)
    expect(problem.name).toBe('Problem')
    expect(problem.cause).toBe(cause)
    expect(JSON.stringify(problem)).not.toMatch(/canary|stack|\.ts/)
  })
})
