import { closeSync, fsyncSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { UsageError } from './usage.ts'

export interface ShopEndpoint {
  shop: string
  endpoint: string
}

/**
 * Makes a new file that this user alone can read, then adds the shops, then writes their endpoints into it as CSV: what cannot be written
 * down is not added. The file goes again where adding fails.
 */
export async function writeEndpoints(
  file: string,
  add: () => Promise<readonly ShopEndpoint[]>,
): Promise<readonly ShopEndpoint[]> {
  const opened = open(file)
  try {
    const added = await add().catch((error: unknown) => {
      unlinkSync(file)
      throw error
    })
    const rows = added.map(({ shop, endpoint }) => `${shop},${endpoint}\n`)
    writeSync(opened, ['shop,endpoint\n', ...rows].join(''))
    fsyncSync(opened)
    return added
  } finally {
    closeSync(opened)
  }
}

function open(file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      code === 'EEXIST'
        ? `There is a file ${file} already, and no shop was added. Name a new one with --endpoints.`
        : `The file ${file} cannot be made (${code}), and no shop was added. Name another one with --endpoints.`,
    )
  }
}
