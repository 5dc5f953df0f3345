import module from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Keeps compiled code for the next command, which then takes a third less of the CPU. The cache lies beside this package's code, and not in
 * the folder for temporary files, where another user could plant code. Node's own variables `NODE_COMPILE_CACHE` and the like go before.
 */
export function keepCompiledCode(): void {
  const packages = new URL('../../../', import.meta.url)
  const folder = packages.pathname.endsWith('/node_modules/')
    ? new URL('.cache/purveyor/', packages)
    : new URL('../../node_modules/.cache/purveyor/', import.meta.url)
  // Node 20 has no compile cache.
  module.enableCompileCache?.(fileURLToPath(folder))
}
