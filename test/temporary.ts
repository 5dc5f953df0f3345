import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder, removed at the end of the block that holds it: `using folder = temporaryFolder()`. */
export function temporaryFolder(below = tmpdir()) {
  const path = mkdtempSync(join(below, 'purveyor-'))
  return {
    path,
    at: (name: string) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}
