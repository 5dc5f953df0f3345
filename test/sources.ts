import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The TypeScript below a folder of `src`: the path of each file from there, and its text. */
export function sourcesIn(folder = ''): { file: string; text: string }[] {
  const cwd = new URL(`../src/${folder}`, import.meta.url).pathname
  return globSync('**/*.ts', { cwd }).map((file) => ({ file, text: readFileSync(join(cwd, file), 'utf8') }))
}
