import { describe, expect, test } from 'vitest'
import { find, sectionsOf } from '../../../src/cli/docs/docs.ts'
import { commandsIn, printing, saying } from '../command.ts'

test('a page is split at its headings, and not inside of code', () => {
  const text = '# Title\n\nText.\n\n```sh\n# no heading\n```\n\n## `one two`\n\nMore.\n'
  expect(sectionsOf({ name: 'page', text })).toEqual([
    expect.objectContaining({ heading: 'Title', level: 1, title: 'Title' }),
    { page: 'page', title: 'Title', heading: 'one two', level: 2, lines: ['## `one two`', '', 'More.'] },
  ])
})

test('a name in capitals finds the interface, and in lower case the page of the same name', () => {
  const shops = { name: 'shops', text: '# Many shops\n' }
  const reference = { name: 'reference/exports', text: '# Exports\n\n### Shops\n\nIts members.\n' }
  const pages = [shops, reference]
  expect(find(pages, 'shops')).toEqual({ page: shops })
  expect(find(pages, 'shops.md')).toEqual({ page: shops })
  expect(find(pages, 'Shops')).toEqual({ sections: [expect.objectContaining({ heading: 'Shops' })] })
  expect(find([shops], 'Shops')).toEqual({ page: shops })
})

describe.concurrent('docs', () => {
  const run = commandsIn()

  test('prints the index, and a page by its name', async () => {
    expect(await run.out('docs')).toMatch(/^# Documentation\n[\s\S]*\(start\.md\)/)
    const page = await run('docs tariffs')
    expect(page).toMatchObject(printing(0, /^# Tariffs without code\n[\s\S]*## tableRates\n/))
    expect(await run.out('docs Tariffs.md')).toBe(page.out)
  })

  test('prints a section by its heading', async () => {
    const out = await run.out('docs which line wins')
    expect(out).toMatch(/^### Which line wins\n\nFor each method the narrowest zone wins/)
    expect(out).not.toContain('## Change a tariff')
  })

  test('finds the page with the first step of an alert and of an anomaly', async () => {
    for (const name of ['PurveyorRatesSlow', 'charged_back'])
      expect(await run.out('docs', name)).toMatch(/^on-call /m)
  })

  test('searches for anything else, and forgives a slip', async () => {
    expect(await run.out('docs dead letter')).toMatch(/^page +section\nwebhooks /)
    expect(await run.out('docs pikcup points')).toMatch(/^pickup-points /m)
    const [first] = await run.json('docs', 'change a tariff file')
    expect(first).toMatchObject({ page: 'tariffs' })
  })

  test('says that a checkout has no reference before its build, where somebody may look for it', async () => {
    const unbuilt = /^purveyor: The reference .* are not built here: run `npm run -s docs`/
    for (const line of ['docs', 'docs createProvider']) expect((await run(line)).err).toMatch(unbuilt)
    expect((await run('docs tariffs')).err).toBe('')
  })

  test('what is nowhere ends with 2, and the site is opened where it is built', async () => {
    const none = 'No page is about "zzzzqqqq". `purveyor docs` lists all.'
    expect(await run('docs zzzzqqqq')).toMatchObject(saying(2, none))
    expect(await run('docs rates --open')).toMatchObject(saying(2, 'npm run -s docs'))
  })
})
