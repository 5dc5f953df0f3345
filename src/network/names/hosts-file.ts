import type { LookupAddress } from 'node:dns'
import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import { after } from '../timers.ts'

const systemFile = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'
/** In milliseconds. */
const lookEvery = 5_000
/** In milliseconds. Reading needs a thread of the process, and other code may hold them all. */
const patience = 200
/** In bytes. */
const readAtMost = 1024 * 1024

/** The names of this machine's `/etc/hosts`. A change is seen within 5 s; only the first lookup waits for the file. */
export class HostsFile {
  readonly #file: string
  #names: ReadonlyMap<string, readonly LookupAddress[]> = new Map()
  #first: Promise<void> | undefined
  #lookedAt = 0
  #changedAt: number | undefined

  constructor(file = systemFile) {
    this.#file = file
  }

  /** `name` is in lower case. */
  async addressesOf(name: string): Promise<readonly LookupAddress[] | undefined> {
    const now = performance.now()
    if (!this.#first || now - this.#lookedAt > lookEvery) {
      this.#lookedAt = now
      const reading = this.#read()
      this.#first ??= Promise.race([reading, new Promise<void>((resolve) => after(patience, resolve))])
    }
    await this.#first
    return this.#names.get(name)
  }

  async #read(): Promise<void> {
    try {
      const { mtimeMs, size } = await stat(this.#file)
      if (mtimeMs === this.#changedAt || size > readAtMost) return
      this.#names = namesIn(await readFile(this.#file, 'utf8'))
      this.#changedAt = mtimeMs
    } catch {
      // Without the file there are no names. If it cannot be read for a moment, the old names stay.
    }
  }
}

/** Lines of an address and its names; `#` begins a comment. */
export function namesIn(text: string): Map<string, LookupAddress[]> {
  const names = new Map<string, LookupAddress[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...named] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    if (family === 0) continue
    for (const name of named.map((one) => one.toLowerCase().replace(/\.$/, '')))
      names.set(name, [...(names.get(name) ?? []), { address, family }])
  }
  return names
}
