import { beforeAll, describe, expect, test } from 'vitest'
import { Declarations } from '../../.ci/docs/declarations.ts'
import { pageOf } from '../../.ci/docs/page.ts'
import { entryPoints, referencePages } from '../../.ci/docs/reference.ts'
import { explanations } from '../../src/cli/explain/explain.ts'
import { problems } from '../../src/contract/index.ts'
import { builtTypes } from '../built.ts'
import { commandNames } from '../cli/command-names.ts'
import { guide } from './pages.ts'

const problemCodes = Object.keys(problems)
let pages: Map<string, string>
const headings = (name: string): string[] => pageOf(name, pages.get(name)!).headings.map(({ text }) => text)

beforeAll(async () => {
  pages = await referencePages(await builtTypes())
})

describe('the reference', () => {
  test.each(entryPoints())('has every export of $entry, with its declaration', async ({ entry, file }) => {
    const { values, types } = new Declarations().exportsOf(`${await builtTypes()}/${file}`)
    const page = `exports-${entry.split('/')[1] ?? 'purveyor'}`
    expect(headings(page)).toEqual(expect.arrayContaining([...values, ...types]))
  })

  test.each(entryPoints())('has a docstring of each export of $entry', async ({ file }) => {
    const all = new Declarations().documentationOf(`${await builtTypes()}/${file}`)
    expect(all.length).toBeGreaterThan(10)
    const silent = all.filter(({ declaration }) => declaration && !declaration.doc)
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  test('says of each option what it does, and names the error of a wrong one', () => {
    const page = pages.get('options')!
    const silent = page
      .split(/^### /m)
      .filter((section) => /^[\w.]+\n\n```ts\n[^`]*```\s*(?:## .*\s*)?$/.test(section))
    expect(silent).toEqual([])
    expect(page).toContain('CONFIGURATION_INVALID')
  })

  test('gives the address that a problem answer carries in `type`', () => {
    for (const code of problemCodes)
      expect(pages.get('codes')).toContain(`The answer has the \`type\` \`urn:purveyor:problem:${code}\`.`)
  })

  test('has docstrings, and those of members', () => {
    const page = pages.get('exports-purveyor')!
    expect(page).toMatch(
      /### createProvider\n\n```ts\nfunction createProvider<[\s\S]*?```\n\n[A-Z][^`\n]{20}/,
    )
    expect(page).toMatch(/^- `deadline\?: number`\. .*in milliseconds\..*2,500/m)
    expect(page).toMatch(/^ {2}- `start\?: number`\. .*Default 4,000\./m)
    expect(page).not.toMatch(/^ *- `(?:#|private )\w/m)
    expect(pages.get('exports-rates')).toMatch(/^- `nearest\?: .*`\. [A-Z].*, 1 to 50\. Default 5\./m)
  })

  test('has the options that the page of settings names, and no other', () => {
    const [, table = ''] = /^\| option[^\n]*\n([\s\S]*?)\n\n/m.exec(guide('settings').text) ?? []
    const named = [...table.matchAll(/^\| `([\w.]+)`/gm)].map(([, name]) => name!)
    expect(named.length).toBeGreaterThan(20)
    const ofReference = headings('options').filter((name) => /^[\w.]+$/.test(name))
    const groups = 'rates payments http network rates.adapters payments.adapters secret.current'.split(' ')
    const deadlines = (name: string) => name.replace(/^(payments\.deadlines)\..*$/, '$1')
    const single = new Set(ofReference.filter((name) => !groups.includes(name)).map(deadlines))
    expect([...single].sort()).toEqual(named.toSorted())
  })

  test('has every command with its options', async () => {
    const names = await commandNames()
    for (const path of names) expect(headings(`command-${path[0]}`)).toContain(`purveyor ${path.join(' ')}`)
    expect(pages.get('command-shop')).toContain('| `--overlap <hours>` |')
  })

  test('has every metric, also those of workers, and every code', () => {
    const refused = /### purveyor_refused_total\n\n.+\n\nA counter with the labels `code`\./
    expect(pages.get('metrics')).toMatch(refused)
    const named = [...guide('metrics').text.matchAll(/^\| `(purveyor_\w+)/gm)].map(([, name]) => name!)
    for (const name of [
      ...named,
      'purveyor_store_up',
      'purveyor_workers_silent',
      'purveyor_workers_replaced_total',
    ])
      expect(headings('metrics')).toContain(name)
    const codes = [...headings('codes'), ...headings('cases')]
    for (const { code } of explanations()) expect(codes).toContain(code)
  })

  test('links only to pages that it has', () => {
    for (const [name, text] of pages)
      for (const { href } of pageOf(name, text).links)
        expect([...pages.keys()], href).toContain(href.slice(0, -3))
  })
})
