import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { atEnd } from './at-end.ts'

/** A new folder with these files, removed with the file's tests. What is no text is written as JSON. */
export function folderWith(files: Record<string, unknown> = {}, below = tmpdir()): string {
  mkdirSync(below, { recursive: true })
  const folder = mkdtempSync(join(below, 'purveyor-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

/** A new file with this text, in a folder of its own. */
export const fileWith = (name: string, text: string): string => join(folderWith({ [name]: text }), name)
