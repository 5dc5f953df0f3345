import type { PaymentAdapter } from '../../../src/index.ts'
import { checkout, payment } from '../../http/messages.ts'
import { floodPages } from './page-floods.ts'
import { type Answered, getOf, openTarget, pageOf, pathOf, type Target } from './target.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const own = { ...form, origin: 'https://provider.example', 'sec-fetch-site': 'same-origin' }
const redirect = 'https://shop.example/return?order=1&a=b%20c'

/** The headers of a browser for a form posted by another site. */
const forged: Record<string, string>[] = [
  { origin: 'https://elsewhere.example' },
  { origin: 'null' },
  { origin: '' },
  { origin: 'https://provider.example.elsewhere.example' },
  { origin: 'http://provider.example' },
  { origin: 'https://provider.example:8443' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'cross-site', origin: 'https://provider.example' },
  { 'sec-fetch-site': 'same-origin', origin: 'https://elsewhere.example' },
]

const wanted = [
  ...'content-security-policy x-frame-options x-content-type-options referrer-policy'.split(' '),
  'cache-control',
]

const openPage = (target: Target, endpoint: string, id: number) =>
  pageOf(target, endpoint, {
    ...payment({ id, method: 'page:page' }),
    ...{ redirect_url: redirect, webhook_url: 'https://shop.example/webhook', shop: checkout.shop },
  })

/** A page that never comes is not waited for. */
async function openHangingPage(): Promise<string[]> {
  const hanging: PaymentAdapter = {
    name: 'page',
    mode: 'live',
    methods: () => [{ id: 'page', title: 'Page' }],
    start: () => ({ page: true }),
    page: { render: () => new Promise(() => {}), submit: () => ({ status: 'pending' }) },
  }
  const target = await openTarget({ payments: { adapters: hanging, deadlines: { page: 50 } } })
  const path = await openPage(target, pathOf((await target.provider.shops.add('hanging')).endpoint), 1)
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 5_000, undefined))
  const shown = await Promise.race([target.call(getOf(path)), late])
  await target.provider.stop()
  if (shown?.status === 504) return []
  return [`a page that hangs is answered ${shown?.status ?? 'never'}`]
}

/** Tries what another site, a second tab or a reader of links could do with a hosted page. */
export async function tryPages(tabs: number) {
  const target = await openTarget()
  // Nothing else keeps this process: the timers of a provider do not.
  const alive = setInterval(() => {}, 1000)
  const { call, provider, store, seen } = target
  const endpoint = pathOf((await provider.shops.add('pages')).endpoint)
  const violations = [...(await openHangingPage()), ...(await floodPages())]
  const answers: [string, Answered][] = []
  const ask = async (
    what: string,
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ) => {
    const answered = await call({ method, path, headers, body })
    answers.push([what, answered])
    return answered
  }
  const statusOf = async (id: number) => (await store.payment('pages', String(id)))?.status

  const first = await openPage(target, endpoint, 1)
  for (const headers of forged) {
    const { status } = await ask('a forged form', 'POST', first, { ...form, ...headers }, 'outcome=paid')
    if (status !== 403) violations.push(`a form with ${JSON.stringify(headers)} is answered ${status}`)
  }
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
    await ask(
      'a form of another kind',
      'POST',
      first,
      { ...form, 'content-type': type, origin: 'https://elsewhere.example' },
      '{"outcome":"paid"}',
    )
  }
  const before = seen.length
  for (const path of [first, `${first}/done`, `${first}/return`]) {
    const { status } = await ask('a look at a link', 'HEAD', path)
    if (status !== 405) violations.push(`HEAD is answered ${status}`)
  }
  if (seen.length > before || (await statusOf(1)) !== 'pending')
    violations.push('a forged form or a look at a link had an effect')

  // One click is one effect: many tabs, and the same click again and again.
  for (let id = 2; id < 2 + tabs; id++) {
    const page = await openPage(target, endpoint, id)
    const submitted = seen.length
    const together = await Promise.all(
      Array.from({ length: 5 }, () => ask('a click', 'POST', page, own, 'outcome=paid')),
    )
    await ask('a click afterwards', 'POST', page, own, 'outcome=cancelled')
    if (seen.length - submitted !== 1)
      violations.push(`${seen.length - submitted} effects of one click in five tabs`)
    if (
      together.some(
        ({ status, headers }) =>
          status !== 303 || headers.location !== `https://provider.example${page}/done`,
      )
    )
      violations.push('a click leads elsewhere than to the done page')
    if ((await statusOf(id)) !== 'paid')
      violations.push(`order ${id} is ${await statusOf(id)} after it was paid`)
    const shown = await ask('the page after its end', 'GET', page)
    if (shown.body.includes('<form')) violations.push('a page asks again after its end')
    const { headers } = await ask('the way back', 'GET', `${page}/return`, {
      referer: 'https://elsewhere.example',
    })
    if (headers.location !== redirect) violations.push(`the way back leads to ${headers.location}`)
    for (const query of ['?redirect_url=https://elsewhere.example', '?next=//elsewhere.example']) {
      const done = await ask('a done page with a query', 'GET', `${page}/done${query}`)
      if (done.body.includes('elsewhere')) violations.push('the done page leads where its query says')
    }
  }
  await ask('no page', 'GET', '/p/nothing')
  await ask('an address that cannot be decoded', 'GET', '/p/%zz')
  await ask('too large a form', 'POST', first, own, `a=${'x'.repeat(70_000)}`)
  await ask('a compressed form', 'POST', first, { ...own, 'content-encoding': 'gzip' }, 'x')
  await ask(
    'too many fields',
    'POST',
    first,
    own,
    Array.from({ length: 2000 }, (_, at) => `f${at}=1`).join('&'),
  )
  for (const [what, { status, headers, body }] of answers) {
    if (status >= 500) violations.push(`${what} is answered ${status}`)
    const missing = wanted.filter((name) => headers[name] === undefined)
    if (missing.length > 0) violations.push(`${what} has no ${missing.join(', ')}`)
    if (
      body !== '' &&
      /html/.test(String(headers['content-type'])) &&
      !/form-action 'self'/.test(String(headers['content-security-policy']))
    ) {
      violations.push(`${what} may post its forms anywhere`)
    }
  }
  await provider.stop()
  clearInterval(alive)
  return { requests: answers.length, violations: [...new Set(violations)] }
}
