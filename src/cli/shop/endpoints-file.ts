import { closeSync, fsyncSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { UsageError } from '../usage.ts'

export interface ShopEndpoint {
  shop: string
  endpoint: string
}

/**
 * Creates a new file that only this user can read, adds the shops, then writes their endpoints into it as CSV. Without the file no shop is
 * added; without the shops the file is removed.
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
        ? `${file} exists already, and no shop was added. Name a new one with --endpoints.`
        : `${file} cannot be created (${code}), and no shop was added. Name another one with --endpoints.`,
    )
  }
}
