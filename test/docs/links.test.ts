import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPage } from '../../.ci/docs/page.ts'
import { conformanceCases } from '../../src/conformance/index.ts'
import { repository } from '../journey/project.ts'
import { sourcesIn } from '../sources.ts'
import { allPages, guide, guides, pageAt } from './pages.ts'

const slugsOf = new Map<string, Set<string>>()

/** Why a link of a page leads nowhere; `undefined` where it leads somewhere. Links to other hosts are not followed. */
function faultOf(path: string, href: string): string | undefined {
  if (/^(https:|mailto:)/.test(href)) return undefined
  if (/^[a-z]+:/.test(href)) return 'is not https'
  const [to = '', anchor] = href.split('#')
  const target = to === '' ? path : normalize(join(dirname(path), to))
  if (target.startsWith('..')) return 'leads out of the repository'
  if (!existsSync(join(repository, target))) return 'leads to no file'
  if (anchor === undefined) return undefined
  if (!slugsOf.has(target))
    slugsOf.set(target, new Set(readPage(join(repository, target)).headings.map(({ slug }) => slug)))
  return slugsOf.get(target)!.has(anchor) ? undefined : `leads to no heading of ${target}`
}

test('every link leads to a file, and to a heading of it', () => {
  const links = allPages.flatMap(({ path, links }) => links.map((link) => ({ path, ...link })))
  expect(links.length).toBeGreaterThan(100)
  const faults = links.flatMap(({ path, href, line }) => {
    const fault = faultOf(path, href)
    return fault ? [`${path}:${line} ${href} ${fault}`] : []
  })
  expect(faults).toEqual([])
})

test('a link to nowhere is found', () => {
  expect(faultOf('docs/start.md', 'nowhere.md')).toBe('leads to no file')
  expect(faultOf('docs/start.md', 'rates.md#nothing')).toBe('leads to no heading of docs/rates.md')
  expect(faultOf('README.md', '../elsewhere.md')).toBe('leads out of the repository')
  expect(faultOf('README.md', 'http://a.example')).toBe('is not https')
})

describe('the pages', () => {
  test('are in the index, each once', () => {
    const links = guide('README').links.filter(({ isImage }) => !isImage)
    const pages = guides.map(({ path }) => path.replace('docs/', '')).filter((path) => path !== 'README.md')
    expect(links.map(({ href }) => href).toSorted()).toEqual(pages.toSorted())
  })

  test('have 25 to 199 lines, and README at most 90', () => {
    for (const { path, lines } of guides) {
      expect(lines, path).toBeGreaterThanOrEqual(25)
      // A list that a tool writes.
      if (path !== 'docs/results.md') expect(lines, path).toBeLessThan(path === 'README.md' ? 91 : 200)
    }
  })

  test('have at most 25,000 words, and those of the project a few kilobytes', () => {
    const wordsOf = ({ text }: { text: string }) =>
      text.split(/\s+/).filter((word) => /[a-z\d]/i.test(word)).length
    const words = guides
      .filter(({ path }) => path !== 'README.md')
      .reduce((sum, one) => sum + wordsOf(one), 0)
    expect(words).toBeLessThanOrEqual(25_000)
    const most = { ARCHITECTURE: 15_000, SECURITY: 3_000, CHANGELOG: 8_000 }
    for (const [name, bytes] of Object.entries(most))
      expect(readFileSync(join(repository, `${name}.md`)).length, name).toBeLessThanOrEqual(bytes)
  })

  test('stand in the order in which people meet them', () => {
    const index = guide('README').links.map(({ href }) => href.slice(0, -3))
    const order = [
      'start rates tariffs carrier-api units-and-parcels pickup-points delivery-promises missing-rate',
      'payments pushes payment-page brand testing shops registration charges deploy proxy nodes',
      'backup upgrade secrets metrics on-call capacity sandbox scenarios check',
      'go-live security personal-data contract live-platforms express faq glossary results',
    ].flatMap((names) => names.split(' '))
    expect(index.filter((name) => order.includes(name))).toEqual(order)
  })

  test('have one title each, and a link to what comes next', () => {
    for (const { path, headings } of guides)
      expect(headings.filter(({ level }) => level === 1).length, path).toBe(1)
    const others = guides.filter(({ path }) => !/(README|results)\.md$/.test(path))
    for (const { path, links } of others)
      expect(links.map(({ href }) => href).join(' '), path).toMatch(/\.md/)
  })
})

test('the README of each example says in ten lines what it shows', () => {
  const examples = allPages.filter(({ path }) => path.startsWith('examples/'))
  const folders = globSync('examples/*', { cwd: repository }).sort()
  expect(examples.map(({ path }) => dirname(path)).sort()).toEqual(folders)
  for (const { path, text } of examples)
    expect(text.split('\n').filter(Boolean).length, path).toBeLessThanOrEqual(10)
})

test('README names as many cases as the checker has', () => {
  const [, number] = /Over (\d+) cases/.exec(pageAt('README.md').text) ?? []
  expect(conformanceCases.length).toBeGreaterThan(Number(number))
})

test('every name in a drawing exists in the code', () => {
  const drawings = guides.flatMap(({ path, links }) =>
    links
      .filter(({ isImage, href }) => isImage && href.endsWith('.svg'))
      .map(({ href }) => join(dirname(path), href)),
  )
  expect(drawings.length).toBeGreaterThan(1)
  const source = sourcesIn()
    .map(({ text }) => text)
    .join('\n')
  for (const drawing of new Set(drawings)) {
    const svg = readFileSync(join(repository, drawing), 'utf8')
    expect(svg, drawing).toMatch(/<title[^>]*>[^<]+</)
    const names = [...svg.matchAll(/<text class="code"[^>]*>(?:(?:GET|POST) \/)?([^<]+)</g)].flatMap(
      ([, text = '']) => text.match(/[^/{}]+/g) ?? [],
    )
    expect(names.length, drawing).toBeGreaterThan(3)
    const unknown = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(source))
    expect(unknown, drawing).toEqual([])
  }
})
