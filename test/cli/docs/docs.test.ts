import GithubSlugger from 'github-slugger'
import { describe, expect, test } from 'vitest'
import { anchorOf, find, sectionsOf } from '../../../src/cli/docs/docs.ts'
import { purveyor, saying } from '../command.ts'

test('a page is split at its headings, and not inside of code', () => {
  const text = '# Title\n\nText.\n\n```sh\n# no heading\n```\n\n## `one two`\n\nMore.\n'
  expect(sectionsOf({ name: 'page', text })).toEqual([
    expect.objectContaining({ heading: 'Title', level: 1, title: 'Title' }),
    { page: 'page', title: 'Title', heading: 'one two', level: 2, lines: ['## `one two`', '', 'More.'] },
  ])
})

test('the anchor of a heading is the one of the site', () => {
  const headings = [
    'HOST_NOT_ALLOWED',
    'rates.deadline',
    'purveyor shop add',
    'Why is this rate (not) shown?',
    "A carrier's API",
  ]
  for (const heading of headings) expect(anchorOf(heading)).toBe(new GithubSlugger().slug(heading))
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
  test('prints the index, and a page by its name', async () => {
    expect((await purveyor(['docs'])).stdout).toMatch(/^# Documentation\n[\s\S]*\(start\.md\)/)
    const page = await purveyor(['docs', 'tariffs'])
    expect(page).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^# Tariffs without code\n[\s\S]*## tableRates\n/),
    })
    expect((await purveyor(['docs', 'Tariffs.md'])).stdout).toBe(page.stdout)
  })

  test('prints a section by its heading', async () => {
    const { stdout } = await purveyor(['docs', 'which', 'line', 'wins'])
    expect(stdout).toMatch(/^### Which line wins\n\nFor each method the narrowest zone wins/)
    expect(stdout).not.toContain('## Change a tariff')
  })

  test('prints what an alert means and what to do, also by its name in lower case', async () => {
    const { stdout } = await purveyor(['docs', 'PurveyorRatesSlow'])
    expect(stdout).toMatch(/^## PurveyorRatesSlow\n[\s\S]*- Means: [\s\S]*- Do: Run `purveyor lanes list/)
    expect(stdout).toContain('(purveyor docs alerts)')
    expect((await purveyor(['docs', 'purveyorratesslow'])).stdout).toBe(stdout)
  })

  test('searches for anything else, and forgives a slip', async () => {
    expect((await purveyor(['docs', 'dead', 'letter'])).stdout).toMatch(/^page +section\nwebhooks /)
    expect((await purveyor(['docs', 'pikcup', 'points'])).stdout).toMatch(/^pickup-points /m)
    const json = JSON.parse((await purveyor(['docs', 'change a tariff file', '--json'])).stdout)
    expect(json[0]).toMatchObject({ page: 'tariffs' })
  })

  test('says that a checkout has no reference before its build, where somebody may look for it', async () => {
    const unbuilt = expect.stringMatching(
      /^purveyor: The reference .* are not built here: run `npm run -s docs`/,
    )
    expect((await purveyor(['docs'])).stderr).toEqual(unbuilt)
    expect((await purveyor(['docs', 'createProvider'])).stderr).toEqual(unbuilt)
    expect((await purveyor(['docs', 'tariffs'])).stderr).toBe('')
  })

  test('what is nowhere ends with 2, and the site is opened where it is built', async () => {
    expect(await purveyor(['docs', 'zzzzqqqq'])).toMatchObject(
      saying(2, 'No page is about "zzzzqqqq". `purveyor docs` lists all.'),
    )
    expect(await purveyor(['docs', 'rates', '--open'])).toMatchObject(saying(2, 'npm run -s docs'))
  })
})
