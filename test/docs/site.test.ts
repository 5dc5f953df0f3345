import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'parse5'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { problems } from '../../src/contract/index.ts'
import { builtDocs } from '../built.ts'
import { faultsOf } from '../chromium.ts'
import { isLong, sized } from '../long.ts'
import { visitor } from '../visitor.ts'

const site = join(await builtDocs(), 'site')
const files = () =>
  readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))

interface Element {
  attrs?: { name: string; value: string }[]
  childNodes?: Element[]
}

/** The values of `id` and of `href` in a file. */
function namesIn(file: string): { ids: Set<string>; links: string[] } {
  const found = { ids: new Set<string>(), links: [] as string[] }
  const visit = ({ attrs = [], childNodes = [] }: Element): void => {
    for (const { name, value } of attrs) {
      if (name === 'id') found.ids.add(value)
      if (name === 'href') found.links.push(value)
    }
    for (const child of childNodes) visit(child)
  }
  visit(parse(readFileSync(join(site, file), 'utf8')) as Element)
  return found
}

test('every link of the site leads to a page of it and to a heading', () => {
  expect(files().length).toBeGreaterThan(50)
  const names = new Map(files().map((file) => [file, namesIn(file)]))
  const faults = [...names].flatMap(([file, { links }]) =>
    links.flatMap((href) => {
      if (/^https:/.test(href) || href.endsWith('.css')) return []
      const [path = '', anchor] = href.split('#')
      const target = path === '' ? file : relative(site, join(site, dirname(file), path))
      const there = names.get(target)
      const isThere = there && (anchor === undefined || there.ids.has(anchor))
      return isThere ? [] : [`${file}: ${href}`]
    }),
  )
  expect(faults).toEqual([])
})

test('no heading of a page skips a level', () => {
  for (const file of files()) {
    const text = readFileSync(join(site, file), 'utf8')
    const levels = [...text.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level))
    expect(levels[0], file).toBe(1)
    for (const [at, level] of levels.entries())
      expect(level, file).toBeLessThanOrEqual((levels[at - 1] ?? 0) + 1)
  }
})

test('a page holds no script, style or address of elsewhere', () => {
  for (const file of files()) {
    const text = readFileSync(join(site, file), 'utf8')
    expect(text, file).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(text, file).not.toMatch(/<style|style="| on\w+="|<script>|src="https?:/)
  }
})

test('each page is there as Markdown, and the list for programs names all', () => {
  const pages = files()
    .filter((file) => file !== '404.html')
    .map((file) => file.replace('.html', '.md'))
  const list = readFileSync(join(site, 'llms.txt'), 'utf8')
  const listed = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, href]) => href)
  expect(listed.toSorted()).toEqual(pages.filter((page) => !/(^|\/)index\.md$/.test(page)).toSorted())
  const faults = pages.flatMap((page) => {
    const text = readFileSync(join(site, page), 'utf8')
    const links = [...text.matchAll(/\]\(([\w./-]+\.md)/g)].map(([, href = '']) => join(dirname(page), href))
    return links.filter((link) => !existsSync(join(site, link)))
  })
  expect(faults).toEqual([])
})

test('a name in a signature leads to its place in the reference', () => {
  const text = readFileSync(join(site, 'reference/exports-purveyor.html'), 'utf8')
  expect(text).toContain('<a href="#provideroptions">ProviderOptions</a>')
  expect(text).toMatch(/\(<a href="\.\.\/contract\.html#the-calls">contract<\/a>\)/)
  expect(text).not.toMatch(/spec \d/)
})

/** Opens a page of the folder, as `purveyor docs --open` does, and collects what the browser complains of. */
async function opened(name: string, options: BrowserContextOptions = {}) {
  const { page } = await visitor(options)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'log') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) complaints.push(request.url())
  })
  await page.goto(pathToFileURL(join(site, name)).href)
  return { page, complaints }
}

const seen = (page: Page) => page.locator('main').textContent()

describe('in a browser', () => {
  test.each([
    ['light', ['index.html', 'reference/command-charges.html', 'start.html']],
    ['dark', ['settings.html', 'tariffs.html', 'reference/options.html']],
  ] as const)('pages have no fault in the %s', async (colorScheme, names) => {
    for (const [at, name] of names.slice(0, sized(2, 3)).entries()) {
      const { page, complaints } = await opened(name, { colorScheme })
      // In the short form some are seen wide and some narrow.
      const widths = isLong ? [1280, 390] : [at % 2 === 0 ? 390 : 1280]
      expect([name, await faultsOf(page, widths)]).toEqual([name, []])
      expect(complaints).toEqual([])
      await page.context().close()
    }
  })

  test('search finds a code, an option and a page, by keyboard alone', async () => {
    const { page, complaints } = await opened('reference/metrics.html')
    await page.keyboard.press('/')
    for (const [words, heading, text] of [
      ['HOST_NOT_ALLOWED', 'host_not_allowed', problems.HOST_NOT_ALLOWED.title],
      ['payments.retention', 'paymentsretention', 'PURVEYOR_RETENTION_DAYS'],
      ['service point', undefined, undefined],
    ] as const) {
      await page.locator('search input').fill(words)
      await page.locator('search li a').first().waitFor()
      if (!heading) continue
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.hash === `#${heading}`)
      expect(await seen(page)).toContain(text)
    }
    expect(complaints).toEqual([])
  })

  test('a page has its contents at its side, and each block of code a button that copies it', async () => {
    const { page } = await opened('start.html', { viewport: { width: 1280, height: 800 } })
    const contents = page.getByRole('navigation', { name: 'On this page' })
    const [side, text] = [
      (await contents.boundingBox())!,
      (await page.locator('main > p').first().boundingBox())!,
    ]
    expect(side.x).toBeGreaterThan(text.x + text.width)
    await contents.getByRole('link').nth(1).click()
    expect(new URL(page.url()).hash).toBe('#see-a-checkout')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('npm run dev')
  })

  test('without JavaScript the pages are whole, and no search is shown', async () => {
    const { page } = await opened('index.html', { javaScriptEnabled: false })
    expect(await page.locator('search').isVisible()).toBe(false)
    await page.getByRole('link', { name: 'Tariffs without code' }).first().click()
    expect(await seen(page)).toContain('Which line wins')
  })

  test('the list of pages shows the page that is read, from 821 px on', async () => {
    const { page } = await opened('results.html', { viewport: { width: 1280, height: 800 } })
    const current = page.locator('nav.all [aria-current]')
    const { y } = (await current.boundingBox())!
    expect(y).toBeGreaterThan(0)
    expect(y).toBeLessThan(800)
  })

  test('on a phone search results are as wide as the window, and a drawing is shown and keeps its letters', async () => {
    const { page } = await opened('start.html', { viewport: { width: 390, height: 800 } })
    expect((await page.locator('main img[src$=svg]').boundingBox())!.width).toBeGreaterThan(600)
    expect(
      await page.evaluate<number>(`document.querySelector('main img[src$=svg]').naturalWidth`),
    ).toBeGreaterThan(100)
    await page.locator('search input').fill('deadline')
    await page.locator('search li a').first().waitFor()
    const { x, width } = (await page.locator('search ul').boundingBox())!
    expect(x).toBeGreaterThanOrEqual(0)
    expect(width).toBeGreaterThan(350)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })
})
