import { existsSync, readFileSync } from 'node:fs'
import type { AxeResults, RunOptions } from 'axe-core'
import { type Browser, chromium, type Frame, type Page } from 'playwright-core'
import { isLong } from './long.ts'

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const quiet = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // A frame of another site has the same rules without a process of its own, and takes a quarter less.
  ...(isLong ? [] : ['--disable-site-isolation-trials']),
]

/**
 * The Chromium at CHROMIUM_PATH, the system's, or the one that comes as a package. The packaged one is unpacked at its first use: two
 * processes must not ask for it at the same time then.
 */
export async function chromiumPath(): Promise<{ path: string; args: string[] }> {
  const system = [process.env.CHROMIUM_PATH, ...installed].find((path) => path && existsSync(path))
  if (system) return { path: system, args: [] }
  // Its own list of flags is left out: it is for a browser of one page, and switches web security off.
  const { default: packaged } = await import('@sparticuz/chromium')
  return { path: await packaged.executablePath(), args: ['--disable-gpu'] }
}

let running: Promise<Browser> | undefined

/**
 * A real Chromium, which all files of tests in a process share, and which ends with it. Each visitor has a context of its own; a test closes
 * what it has opened.
 */
export async function startChromium(): Promise<Browser> {
  if (!(await running)?.isConnected()) running = launch()
  return running!
}

async function launch(): Promise<Browser> {
  const { path, args } = await chromiumPath()
  return chromium.launch({ executablePath: path, args: [...quiet, ...args] })
}

/** No page of ours plays sound, which is what axe would load beforehand. */
const options: RunOptions = { resultTypes: ['violations'], preload: false }

const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/** What axe finds wrong in a page or one of its frames. */
export async function axeFaults(page: Page | Frame, more: RunOptions = {}): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify({ ...options, ...more })})`,
  )
  return violations.map(({ id, nodes }) => `${id} at ${nodes[0]?.target}`)
}

/**
 * What axe finds wrong, and what makes a phone scroll sideways. Leaves the page as wide as the last of the widths: in the short form axe
 * looks at that one alone.
 */
export async function faultsOf(page: Page, widths = [1280, 320]): Promise<string[]> {
  const faults: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    if (isLong || width === widths.at(-1))
      faults.push(...(await axeFaults(page)).map((fault) => `${width} px: ${fault}`))
    const widest = await page.evaluate<number>('document.documentElement.scrollWidth')
    if (widest > width) faults.push(`${width} px: scrolls sideways, ${widest} px wide`)
  }
  return faults
}
