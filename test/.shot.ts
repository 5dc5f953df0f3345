// usage: node /tmp/shot.ts outprefix url [widths] [schemes]
import { createRequire } from 'node:module'
const require = createRequire('/work/pages/test/chromium.ts')
const { startChromium } = await import('/work/pages/test/chromium.ts')
const [, , ...jobs] = process.argv
const browser = await startChromium()
for (let i = 0; i < jobs.length; i += 2) {
  const [name, url] = [jobs[i]!, jobs[i + 1]!]
  for (const width of (process.env.W ?? '1280,390').split(',').map(Number))
    for (const scheme of (process.env.S ?? 'light,dark').split(',')) {
      const ctx = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme as never, ignoreHTTPSErrors: true, locale: process.env.L ?? 'en' })
      const page = await ctx.newPage()
      await page.goto(url)
      await page.waitForTimeout(150)
      await page.screenshot({ path: `/tmp/shots/${name}-${width}-${scheme}.png`, fullPage: process.env.FULL !== '0' })
      const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      if (wide) console.log(name, width, scheme, 'SIDEWAYS')
      await ctx.close()
    }
}
await browser.close()
process.exit(0)
