import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { realFolder, sourceLine } from '../../observability/source-faults/source-lines.ts'
import type { AdapterExplanation } from '../../rates/explanation.ts'

/** The place where an adapter threw, and the next step. */
export interface AdapterFault {
  /** `src/rates.ts:16`, from the folder of the project where its files are known. */
  place: string
  /** The line itself, without its indent. Not set for one that may hold a secret, or that is in no file of the project. */
  code?: string
  remedy: string
}

/**
 * The fault of an adapter whose own code threw; `undefined` for other answers, and for one that called its carrier: the call says more.
 * `folder` is that of the project, by default the working directory.
 */
export function adapterFault(
  { result, place, calls }: Pick<AdapterExplanation, 'result' | 'place' | 'calls'>,
  folder: string = process.cwd(),
): AdapterFault | undefined {
  if (result !== 'failed' || place === undefined || calls.length > 0) return undefined
  const remedy = "Correct this line. Without a method, answer none('why')."
  const [, name, line] = /^(.*):(\d+)$/.exec(place) ?? []
  const real = realFolder(folder)
  const file = [`${name}`, `src/${name}`].map((one) => join(real, one)).find((one) => existsSync(one))
  if (file === undefined) return { place, remedy }
  const found = sourceLine({ file, line: Number(line) }, real)
  const code = found.text?.trim()
  return { place: `${found.file}:${found.line}`, ...(code && { code }), remedy }
}
