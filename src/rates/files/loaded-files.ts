import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { AdapterFile } from '../../adapters/adapter-files.ts'
import { byProvider } from '../../audit.ts'
import type { Parts } from '../../parts.ts'

/** Writes into the audit trail which files are in use, once for each content of one. */
export class LoadedFiles {
  readonly #noted = new Map<string, string>()

  async note(
    { store, world }: Parts<'world' | 'store'>,
    files: readonly (AdapterFile & { adapter: string })[],
  ): Promise<void> {
    for (const { adapter, file, version } of files) {
      if (version === undefined || this.#noted.get(file) === version) continue
      const content = await readFile(file).catch(() => undefined)
      if (!content) continue
      const digest = hash('sha256', content, 'hex').slice(0, 16)
      const action = { action: 'tariff.loaded', adapter, file, digest, node: world.node } as const
      const trail = await store.searchAuditTrail({ shopId: '', action: action.action, limit: 200 })
      const last = trail.find(({ entry }) => entry.action === action.action && entry.file === file)?.entry
      const isKnown = last?.action === action.action && last.digest === digest
      if (!isKnown) await store.noteAudit('', { at: world.now(), by: byProvider }, action)
      this.#noted.set(file, version)
    }
  }
}
