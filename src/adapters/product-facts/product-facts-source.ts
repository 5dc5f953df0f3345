import type { AdapterFiles } from '../../rates/adapter-files.ts'
import type { FactsByCode } from '../../rates/product-facts.ts'
import type { ProductFactsSource } from '../../use-cases/workings.ts'
import type { MaybePromise } from '../../world.ts'
import { WatchedFiles } from '../files/watched-files.ts'
import { factFiles } from './read-facts.ts'

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
