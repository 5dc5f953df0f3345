import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { equivalent } from './equivalent.ts'
import { linesOf, mutantsOf } from './mutations.ts'
import { repository } from './workshop.ts'

/** Each mutant of a file as its lines, read once. */
const lines = new Map<string, { before: string; after: string }[]>()

function linesIn(file: string) {
  const known = lines.get(file)
  if (known) return known
  const source = readFileSync(join(repository, file), 'utf8')
  const found = mutantsOf(file, source).map((mutant) => linesOf(source, mutant))
  lines.set(file, found)
  return found
}

test.each(equivalent)(
  '$file has the line that an equivalent mutant changes: $after',
  ({ file, before, after }) => {
    const found = linesIn(file)
    // The line itself first: the failure shows how the lines read now.
    expect(found.map((line) => line.before)).toContain(before)
    expect(found).toContainEqual({ before, after })
  },
)
