import type { Blamed, CodePlace } from '../../code-place.ts'
import { placeOfFunction } from './function-place.ts'
import { placeOfAdapter } from './option-faults.ts'
import { realFolder, shownPath } from './source-lines.ts'

/** The function of an adapter, otherwise the line that gives the adapter its name, which may be one that another adapter holds. */
export const adapterPlace = ({ adapter, code }: Blamed, folder: string): CodePlace | undefined =>
  placeOfFunction(code) ?? placeOfAdapter(adapter.slice(adapter.lastIndexOf('/') + 1), folder)

/** The places of adapters as `rates.ts:16`, from the folder of the project. Each function is looked for once. */
export class AdapterPlaces {
  readonly #known = new WeakMap<object, string | undefined>()

  /** `undefined` for an adapter of a package. */
  of(adapter: string, code: object): string | undefined {
    if (!this.#known.has(code)) this.#known.set(code, shownPlace({ adapter, code }))
    return this.#known.get(code)
  }
}

function shownPlace(blamed: Blamed): string | undefined {
  // A working directory may be gone.
  try {
    const folder = realFolder(process.cwd())
    const place = adapterPlace(blamed, folder)
    return place && `${shownPath(place.file, folder)}:${place.line}`
  } catch {
    return undefined
  }
}
