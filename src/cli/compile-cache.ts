import module from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Keeps compiled code for the next command, which then takes a third less of the CPU (from source). It lies beside this package, where its code lies too,
 * and not in the machine's folder for temporary files: there, another user could put code of their own. Where that cannot be written,
 * nothing is kept. Node's own `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` go before.
 */
export function keepCompiledCode(): void {
  const packages = new URL('../../../', import.meta.url)
  const folder = packages.pathname.endsWith('/node_modules/')
    ? new URL('.cache/purveyor/', packages)
    : new URL('../../node_modules/.cache/purveyor/', import.meta.url)
  // Node 20 has none.
  module.enableCompileCache?.(fileURLToPath(folder))
}
