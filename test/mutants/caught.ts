import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyOf } from './looks.ts'
import { type Mutant, mutated } from './mutations.ts'
import { cache, repository } from './workshop.ts'

interface Catch {
  mutant: string
  test: string
  /** Of the test with all that it imports. */
  key: string
  by: string
}

/** The tests that caught mutants, kept for the next run: while source and test are unchanged, they would catch them again. */
export class Caught {
  readonly #file = join(cache, 'caught.jsonl')
  readonly #known = new Map<string, Catch>()

  constructor() {
    if (!existsSync(this.#file)) return
    for (const line of readFileSync(this.#file, 'utf8').split('\n').filter(Boolean)) {
      const one = JSON.parse(line) as Catch
      this.#known.set(one.mutant, one)
    }
  }

  by(mutant: Mutant): string | undefined {
    const known = this.#known.get(nameOf(mutant))
    if (!known || !existsSync(join(repository, known.test))) return undefined
    return keyOf(known.test) === known.key ? known.by : undefined
  }

  add(mutant: Mutant, test: string, by: string): void {
    const one: Catch = { mutant: nameOf(mutant), test, key: keyOf(test), by }
    appendFileSync(this.#file, `${JSON.stringify(one)}\n`)
  }
}

const nameOf = (mutant: Mutant): string => {
  const text = mutated(readFileSync(join(repository, mutant.file), 'utf8'), mutant)
  return createHash('sha256').update(mutant.file).update(text).digest('hex')
}
