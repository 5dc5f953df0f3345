import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A real Chromium: the one at CHROMIUM_PATH, the system's, or the one that comes as a package. */
export async function startChromium(): Promise<Browser> {
  const system = [process.env.CHROMIUM_PATH, ...installed].find((path) => path && existsSync(path))
  const quiet = [
    '--no-sandbox',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ]
  if (system) return chromium.launch({ executablePath: system, args: quiet })
  // Its own list of flags is left out: it is for a browser of one page, and switches web security off.
  const { default: packaged } = await import('@sparticuz/chromium')
  return chromium.launch({
    executablePath: await packaged.executablePath(),
    args: [...quiet, '--disable-gpu'],
  })
}
