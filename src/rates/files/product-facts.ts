import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { type FactsByCode, type ProductFact, productFacts } from '../../adapters/product-facts.ts'
import type { ProductFactsSource } from '../../any-adapter.ts'
import { didYouMean } from '../../checked-options.ts'
import type { MaybePromise } from '../../world.ts'
import { columnFaults, fileInvalid, flagIn, isLost, lost, noFlag, readCsv } from './file-text.ts'
import type { FileKind } from './watched-file.ts'
import { WatchedFiles } from './watched-files.ts'

const code = 'article_code'
const longestCode = 256

export const factFiles: FileKind<FactsByCode> = {
  code: 'PRODUCT_FACTS_INVALID',
  option: 'rates.productFacts',
  read: readFacts,
  sizeOf: ({ size }) => size,
}

/** Reads the lines of an open CSV file. Rejects with `PRODUCT_FACTS_INVALID`, which names every fault. */
async function readFacts(handle: FileHandle, file: string): Promise<FactsByCode> {
  const faults: { path: string; message: string }[] = []
  const fault = (line: number, name: string, message: string) =>
    void faults.push({ path: `${basename(file)}:${line} ${name}`, message })
  const facts = new Map<string, readonly ProductFact[]>()
  const firstLines = new Map<string, number>()
  const lists = new Map<string, readonly ProductFact[]>()
  const readLine = (header: readonly string[], cells: readonly string[], line: number) => {
    const article = cells[header.indexOf(code)]!
    const first = firstLines.get(article)
    if (isLost(article)) fault(line, code, lost)
    else if (article === '') fault(line, code, 'is empty: write the article code of the product')
    else if (article.length > longestCode) fault(line, code, `has over ${longestCode} characters`)
    else if (first !== undefined)
      fault(line, code, `is also that of line ${first}: put its facts into one line`)
    firstLines.set(article, line)
    const own = header.flatMap((name, at): ProductFact[] => {
      if (name === code) return []
      const flag = flagIn(cells[at]!.toLowerCase())
      if (flag === undefined) fault(line, name, noFlag)
      return flag ? [name as ProductFact] : []
    })
    const list = lists.get(own.join()) ?? own
    lists.set(own.join(), list)
    facts.set(article, list)
  }
  let isEmpty = true
  const begin = (given: string[]) => {
    isEmpty = false
    const header = given.map((cell) => cell.toLowerCase())
    for (const { name, message } of headerFaults(header)) fault(1, name, message)
    const isSound = faults.length === 0
    return (cells: string[], line: number) => isSound && readLine(header, cells, line)
  }
  await readCsv(handle, begin, (line, message) => fault(line, 'line', message))
  if (faults.length === 0 && isEmpty)
    fault(1, 'file', `is empty: write a header such as ${code},${productFacts.join(',')}`)
  if (faults.length > 0) throw fileInvalid('PRODUCT_FACTS_INVALID', 'The facts of products', file, faults)
  return facts
}

function headerFaults(header: readonly string[]): { name: string; message: string }[] {
  const known: readonly string[] = [code, ...productFacts]
  if (!header.some((name) => known.includes(name))) {
    const message = `is not a file of product facts: its first line has none of ${known.join(', ')}`
    return [{ name: 'file', message }]
  }
  const faults = columnFaults(header, (name) =>
    known.includes(name) ? undefined : `is not a fact: ${didYouMean(name, known)}`,
  )
  const missing = 'is missing: add a column with the article codes of the products'
  return header.includes(code) ? faults : [...faults, { name: code, message: missing }]
}

/** The file of the facts of products. */
export interface ProductFactsOptions {
  /** A CSV file: `article_code`, and a column for each fact. A function returns that of a shop; `undefined`: it has none. */
  file: string | ((shop: { id: string }) => string | undefined)
  /** The folder in which files that a function returns must lie. Default: the working directory. */
  folder?: string
}

export class FactsOfFiles implements ProductFactsSource {
  readonly #file: ProductFactsOptions['file']
  readonly files: WatchedFiles<FactsByCode>

  constructor({ file, folder }: ProductFactsOptions) {
    this.#file = file
    this.files = new WatchedFiles({ adapter: 'productFacts', file, folder })
  }

  of(shop: { id: string }, now: () => number): MaybePromise<FactsByCode | undefined> {
    const file = typeof this.#file === 'function' ? this.#file(shop) : this.#file
    return file === undefined ? undefined : this.files.of(file, { file, kind: factFiles, now })
  }

  async prepare({ now }: { now(): number }): Promise<void> {
    if (typeof this.#file === 'string') await this.of({ id: '' }, now)
  }
}
