import { existsSync } from 'node:fs'
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const quiet = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
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

/** What axe finds wrong, and what makes a phone scroll sideways. Leaves the page as wide as the last of the widths. */
export async function faultsOf(page: Page, widths = [1280, 320]): Promise<string[]> {
  const faults: string[] = []
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
    faults.push(...violations.map(({ id, nodes }) => `${width} px: ${id} at ${nodes[0]?.target}`))
    const widest = await page.evaluate<number>('document.documentElement.scrollWidth')
    if (widest > width) faults.push(`${width} px: scrolls sideways, ${widest} px wide`)
  }
  return faults
}
