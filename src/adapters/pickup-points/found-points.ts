import { issueWords } from '../../contract/issue-words.ts'
import { cutTo } from '../../contract/lengths.ts'
import { wrongAnswer } from '../../errors.ts'
import type { NoMethods } from '../../rates/adapter.ts'
import { type PickupPoint, pointOfApi } from './points.ts'

/** A point of an API, with its distance from the destination, if the API has it. */
export type FoundPoint = PickupPoint & { kilometres?: number | undefined }

/** The points of an API that can be used, and why the others cannot. */
export interface FoundPoints {
  points: readonly FoundPoint[]
  /** Sentences with the number and the id of the point. */
  leftOut: readonly string[]
}

/**
 * Reads the answer of an API: a list of points, or none. A point with a fault is left out. Throws `ADAPTER_ANSWER_INVALID` if the answer is
 * neither, or if no point of it can be used.
 */
export function readFound(answer: unknown): FoundPoints | NoMethods {
  if (isNone(answer)) return answer
  if (!Array.isArray(answer)) {
    const given = answer === null ? 'null' : typeof answer
    throw wrongAnswer(`points returned ${given}: return a list of points, or none('why')`)
  }
  const points = new Map<string, FoundPoint>()
  const leftOut: string[] = []
  for (const [at, given] of answer.entries()) {
    const read = pointOfApi.safeParse(given)
    const faults = read.success
      ? points.has(read.data.id)
        ? ['id is that of an earlier point']
        : []
      : read.error.issues.map((issue) => [...issue.path, issueWords(issue)].join(' '))
    if (faults.length > 0) leftOut.push(`point ${at + 1}${idOf(given)} is left out: ${faults.join(', ')}`)
    else if (read.data) points.set(read.data.id, read.data)
  }
  if (points.size === 0 && leftOut.length > 0)
    throw wrongAnswer(`no point of the answer can be used: ${leftOut.slice(0, 3).join('; ')}`)
  return { points: [...points.values()], leftOut }
}

const isNone = (answer: unknown): answer is NoMethods =>
  typeof (answer as Partial<NoMethods> | null | undefined)?.none === 'string'

function idOf(given: unknown): string {
  const id = (given as { id?: unknown } | null | undefined)?.id
  return typeof id === 'string' || typeof id === 'number' ? ` "${cutTo(String(id), 64)}"` : ''
}
