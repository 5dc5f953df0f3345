import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import type { AdapterFiles } from '../../adapters/adapter-files.ts'
import { type FactsByCode, type ProductFact, productFacts } from '../../adapters/product-facts.ts'
import type { ProductFactsSource } from '../../any-adapter.ts'
import { didYouMean } from '../../checked-options.ts'
import { PurveyorError } from '../../errors/errors.ts'
import { counted } from '../../printable.ts'
import type { MaybePromise } from '../../world.ts'
import { parserOf } from './csv.ts'
import { isLost, lost } from './file-text.ts'
import type { FileKind } from './watched-file.ts'
import { WatchedFiles } from './watched-files.ts'

const code = 'article_code'
/** So many faults are named, and so many characters of what is wrong. */
const most = { faults: 20, repeated: 40, code: 256 }

export const factFiles: FileKind<FactsByCode> = {
  code: 'PRODUCT_FACTS_INVALID',
  holds: 'product facts',
  option: 'rates.productFacts',
  read: readFacts,
  sizeOf: ({ size }) => size,
}

type ReportFault = (line: number, name: string, message: string) => void

/** Reads the lines of an open CSV file, piece by piece. Rejects with `PRODUCT_FACTS_INVALID`, which names every fault. */
async function readFacts(handle: FileHandle, file: string): Promise<FactsByCode> {
  const faults: string[] = []
  const fault: ReportFault = (line, name, message) => {
    if (faults.length > most.faults) return
    faults.push(`  ${basename(file)}:${line} ${name}: ${message}`)
  }
  const lines = new FactLines(fault)
  try {
    for await (const { record, info } of await parserOf(handle)) lines.take(record, info.lines)
  } catch (error) {
    const { code: why, lines: line = 0 } = error as { code?: string; lines?: number }
    if (!why?.startsWith('CSV_') && why !== 'INVALID_OPENING_QUOTE') throw error
    fault(line, 'line', 'is not CSV: text with quotes, commas or semicolons needs double quotes')
  }
  if (faults.length === 0 && lines.header.length === 0)
    fault(1, 'file', `is empty: write a header such as ${code},${productFacts.join(',')}`)
  if (faults.length === 0) return lines.facts
  const shown = faults.slice(0, most.faults)
  if (faults.length > most.faults) shown.push('  and more')
  const message = `The facts of products cannot be used:\n${shown.join('\n')}`
  const named = shown.map((one) => ({ message: one.trim() }))
  throw new PurveyorError('PRODUCT_FACTS_INVALID', message, { place: file, faults: named })
}

const flags: Readonly<Record<string, boolean>> = { '': false, 0: false, false: false, 1: true, true: true }

class FactLines {
  readonly facts = new Map<string, readonly ProductFact[]>()
  header: readonly string[] = []
  readonly #firstLines = new Map<string, number>()
  readonly #fault: ReportFault
  /** Most products share one of few lists. */
  readonly #lists = new Map<string, readonly ProductFact[]>()
  #sound = true

  constructor(fault: ReportFault) {
    this.#fault = fault
  }

  take(cells: readonly string[], line: number): void {
    if (this.header.length === 0) this.#readHeader(cells)
    else if (!this.#sound) return
    else if (cells.length !== this.header.length)
      this.#fault(line, 'line', `has ${counted(cells.length, 'cell')} and the header ${this.header.length}`)
    else this.#readLine(cells, line)
  }

  #readHeader(cells: readonly string[]): void {
    this.header = cells.map((cell) => cell.toLowerCase())
    const known: readonly string[] = [code, ...productFacts]
    const wrong = (name: string, message: string) => {
      this.#sound = false
      this.#fault(1, name, message)
    }
    if (!this.header.some((name) => known.includes(name))) {
      wrong('file', `is not a file of product facts: its first line has none of ${known.join(', ')}`)
      return
    }
    for (const [at, name] of this.header.entries()) {
      if (!known.includes(name))
        wrong(name.slice(0, most.repeated) || `column ${at + 1}`, `is not a fact: ${didYouMean(name, known)}`)
      else if (this.header.indexOf(name) < at) wrong(name || `column ${at + 1}`, 'appears twice: remove one')
    }
    if (!this.header.includes(code))
      wrong(code, 'is missing: add a column with the article codes of the products')
  }

  #readLine(cells: readonly string[], line: number): void {
    const article = cells[this.header.indexOf(code)]!
    const first = this.#firstLines.get(article)
    if (isLost(article)) this.#fault(line, code, lost)
    else if (article === '') this.#fault(line, code, 'is empty: write the article code of the product')
    else if (article.length > most.code) this.#fault(line, code, `has over ${most.code} characters`)
    else if (first !== undefined)
      this.#fault(line, code, `is also that of line ${first}: put its facts into one line`)
    this.#firstLines.set(article, line)
    const facts = this.header.flatMap((name, at): ProductFact[] => {
      if (name === code) return []
      const flag = flags[cells[at]!.toLowerCase()]
      if (flag === undefined)
        this.#fault(line, name, 'is neither true nor false: write true, false, 1, 0 or nothing')
      return flag ? [name as ProductFact] : []
    })
    const key = facts.join()
    if (!this.#lists.has(key)) this.#lists.set(key, facts)
    this.facts.set(article, this.#lists.get(key)!)
  }
}

/** The file of the facts of products. */
export interface ProductFactsOptions {
  /** A CSV file: `article_code`, and a column for each fact. A function returns that of a shop; `undefined`: it has none. */
  file: string | ((shop: { id: string }) => string | undefined)
  /** The folder in which files that a function returns must lie. Default: the working directory. */
  folder?: string
}

/** Product facts from files, which are watched as tariffs are. */
export class FactsOfFiles implements ProductFactsSource {
  readonly #file: ProductFactsOptions['file']
  readonly #files: WatchedFiles<FactsByCode>

  constructor({ file, folder }: ProductFactsOptions) {
    this.#file = file
    this.#files = new WatchedFiles({
      adapter: 'productFacts',
      watch: true,
      folder: folder ?? (typeof file === 'function' ? '.' : undefined),
    })
  }

  get files(): AdapterFiles {
    return this.#files
  }

  of(shop: { id: string }, now: () => number): MaybePromise<FactsByCode | undefined> {
    const file = typeof this.#file === 'function' ? this.#file(shop) : this.#file
    return file === undefined ? undefined : this.#files.of(file, { file, kind: factFiles, now })
  }

  async prepare({ now }: { now(): number }): Promise<void> {
    const file = this.#file
    if (typeof file === 'string') await this.#files.of(file, { file, kind: factFiles, now: () => now() })
  }
}
