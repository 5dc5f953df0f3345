import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startAcquirer } from '../../../examples/payment-card-fields/acquirer/acquirer.ts'
import { cardFields } from '../../../examples/payment-card-fields/card-fields.ts'
import { html, type PageAllow, type PageContent, type PaymentAdapter } from '../../../src/index.ts'
import { repository } from '../../journey/project.ts'
import { listening } from '../../listening.ts'
import { serveOrigin } from '../../serve-origin.ts'
import { visitor } from '../../visitor.ts'
import { payment } from '../messages.ts'
import { paymentUrl } from '../post.ts'
import { page as answerPage, codePayments } from './provider.ts'

/** An origin that notes what was asked of it. */
async function canary() {
  const asked = new Set<string>()
  const origin = await serveOrigin((req, res) => {
    asked.add(req.url!.slice(1))
    const isScript = req.url === '/script'
    const type = isScript ? 'text/javascript' : req.url === '/style' ? 'text/css' : 'text/html'
    res.setHeader('access-control-allow-origin', '*').setHeader('content-type', type)
    res.end(isScript ? 'document.documentElement.dataset.ran = "foreign"' : '')
  })
  return { origin, asked }
}

/** Everything by which a page loads, runs or sends something. */
const greedy = (origin: string) => html`
  <script src="${origin}/script"></script>
  <script>document.documentElement.dataset.ran = 'inline'; fetch('${origin}/connect')</script>
  <img src="${origin}/img" alt=""><img srcset="${origin}/srcset 2x, ${origin}/srcset 1x" alt="">
  <img src="nothing:" onerror="fetch('${origin}/handler')" alt="">
  <picture><source srcset="${origin}/picture"><img alt=""></picture>
  <svg><image href="${origin}/svg" width="9" height="9"></image></svg><input type="image" src="${origin}/input" alt="">
  <link rel="stylesheet" href="${origin}/style"><style>@import '${origin}/import'; form { background: url(${origin}/rule) }</style>
  <p style="background: url(${origin}/attribute)">x</p>
  <iframe src="${origin}/frame"></iframe><iframe srcdoc="<script>fetch('${origin}/srcdoc')</script>"></iframe>
  <object data="${origin}/object"></object><embed src="${origin}/embed">
  <video src="${origin}/video" poster="${origin}/poster"></video><audio src="${origin}/audio" preload="auto"></audio>
  <link rel="preload" as="image" href="${origin}/preload"><link rel="prefetch" href="${origin}/prefetch">
  <link rel="modulepreload" href="${origin}/module">
  <form method="get" action="${origin}/form"><button id="send">Send</button></form>`

/** What of it a page without a policy loads, at least. */
const loaded = [
  ...['script', 'connect', 'img', 'srcset', 'handler', 'picture', 'svg', 'input', 'style', 'import', 'rule'],
  ...['attribute', 'frame', 'srcdoc', 'object', 'embed', 'video', 'poster', 'audio', 'preload'],
]

async function look(url: string) {
  const { page } = await visitor()
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  return page
}

/** A click that waits for nothing: the browser may block what follows. */
const send = (page: Page, at = 0) => page.evaluate(`document.querySelectorAll('#send')[${at}].click()`)

/** The address of a page of this adapter, with more content behind its own. */
async function openPage(adapter: PaymentAdapter, content: PageContent): Promise<string> {
  const { endpoint } = await listening({
    payments: {
      ...adapter,
      page: {
        ...adapter.page!,
        render: async (view, ctx) =>
          html`${(await adapter.page!.render(view, ctx)) as never}${content as never}`,
      },
      start: adapter.name === 'cards' ? adapter.start : () => ({ page: true }),
    },
  })
  return paymentUrl(endpoint, payment({ method: adapter.name }))
}

/** The files of templates and examples that have a page of their own. */
const filesWithPage = globSync('{templates,examples}/**/*.ts', { cwd: repository })
  .filter((file) => !/\.test\.ts$|node_modules/.test(file))
  .filter((file) => /^ +page: \{$/m.test(readFileSync(join(repository, file), 'utf8')))

/** Its page needs its payment service, which scripts and frames come from. */
const ofService = 'examples/payment-card-fields/card-fields.ts'

async function cardAdapter(): Promise<PaymentAdapter> {
  const acquirer = await startAcquirer()
  onTestFinished(() => acquirer.close())
  return cardFields({ api: acquirer.url, bank: acquirer.bankUrl }) as PaymentAdapter
}

const hasPage = (one: unknown): one is PaymentAdapter =>
  typeof (one as PaymentAdapter | undefined)?.page?.render === 'function'

async function adaptersIn(file: string): Promise<PaymentAdapter[]> {
  if (file === ofService) return [await cardAdapter()]
  const exported = (await import(join(repository, file))) as Record<string, unknown>
  return Object.values(exported).filter(hasPage)
}

test('a page without a policy would load all of it', async () => {
  const { origin, asked } = await canary()
  const url = await serveOrigin((_req, res) => answerPage(res, String(greedy(origin))))
  const page = await look(url)
  await expect.poll(() => loaded.filter((one) => !asked.has(one))).toEqual([])
  await send(page)
  await expect.poll(() => asked.has('form?')).toBe(true)
})

describe.each(['the page of these tests', ...filesWithPage])('%s', (file) => {
  test('loads, runs and sends nothing beside what its adapter allows', async () => {
    const adapters = filesWithPage.includes(file) ? await adaptersIn(file) : [codePayments]
    expect(adapters.length).toBeGreaterThan(0)
    for (const adapter of adapters) {
      const { origin, asked } = await canary()
      const page = await look(await openPage(adapter, greedy(origin)))
      const address = page.url()
      await send(page)
      await page.waitForLoadState('networkidle')
      expect([...asked]).toEqual([])
      expect(page.url()).toBe(address)
      expect(await page.evaluate('document.documentElement.dataset.ran')).toBeUndefined()
    }
  })
})

test.each<[keyof PageAllow, string[]]>([
  ['script', ['script', 'module']],
  ['img', ['img', 'srcset', 'picture', 'svg', 'input', 'poster', 'preload']],
  ['style', ['style', 'import']],
  ['frame', ['frame', 'object', 'embed']],
  ['connect', []],
  ['form', ['form?']],
])('an origin in allow.%s is let in for that alone, and no other origin', async (list, parts) => {
  const [named, other] = [await canary(), await canary()]
  const adapter = { ...codePayments, page: { ...codePayments.page!, allow: { [list]: [named.origin] } } }
  const content = html`${greedy(named.origin)}${greedy(other.origin)}`
  const page = await look(await openPage(adapter, content))
  await send(page, 1)
  await send(page)
  await page.waitForLoadState('networkidle')
  if (parts.length > 0) await expect.poll(() => [...named.asked]).toContain(parts[0])
  // Browsers fetch ahead from every origin that a page may load something of.
  const may = [...parts, 'prefetch', 'favicon.ico']
  expect([...named.asked].filter((one) => !may.includes(one))).toEqual([])
  expect([...other.asked]).toEqual([])
})
