import { readFileSync } from 'node:fs'

/** A command that was really run, with what it printed. */
export interface Example {
  command: string
  /** As a terminal shows it: the command after `$ `, then its output. */
  text: string
}

/** What `node test/docs/write-examples.ts` has recorded, in its order. */
export const readExamples = (): Example[] =>
  readFileSync(new URL('examples.txt', import.meta.url), 'utf8')
    .split(/^(?=\$ )/m)
    .filter((part) => part.startsWith('$ '))
    .map((part) => ({ command: part.slice(2, part.indexOf('\n')), text: part.trimEnd() }))
