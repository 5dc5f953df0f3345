import { checkout, payment } from '../../http/messages.ts'
import { floodPages } from './page-floods.ts'
import {
  type Answered,
  type Asked,
  getOf,
  openTarget,
  ownForm,
  pageOf,
  pathOf,
  postOf,
  type Target,
  withPage,
} from './target.ts'

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
  const hanging = withPage('page', {
    render: () => new Promise(() => {}),
    submit: () => ({ status: 'pending' }),
  })
  await using target = await openTarget({ payments: { adapters: hanging, deadlines: { page: 50 } } })
  const path = await openPage(target, pathOf((await target.provider.shops.add('hanging')).endpoint), 1)
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 5_000, undefined))
  const shown = await Promise.race([target.call(getOf(path)), late])
  if (shown?.status === 504) return []
  return [`a page that hangs is answered ${shown?.status ?? 'never'}`]
}

/** Tries what another site, a second tab or a reader of links could do with a hosted page. */
export async function tryPages(tabs: number) {
  await using target = await openTarget()
  const { call, provider, store, seen } = target
  const endpoint = pathOf((await provider.shops.add('pages')).endpoint)
  const violations = [...(await openHangingPage()), ...(await floodPages())]
  const answers: [string, Answered][] = []
  const ask = async (what: string, asked: Asked) => {
    const answered = await call(asked)
    answers.push([what, answered])
    return answered
  }
  const statusOf = async (id: number) => (await store.payment('pages', String(id)))?.status

  const first = await openPage(target, endpoint, 1)
  for (const headers of forged) {
    const sent = { 'content-type': ownForm['content-type'], ...headers }
    const { status } = await ask('a forged form', postOf(first, 'outcome=paid', sent))
    if (status !== 403) violations.push(`a form with ${JSON.stringify(headers)} is answered ${status}`)
  }
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
    const headers = { 'content-type': type, origin: 'https://elsewhere.example' }
    await ask('a form of another kind', postOf(first, '{"outcome":"paid"}', headers))
  }
  const before = seen.length
  for (const path of [first, `${first}/done`, `${first}/return`]) {
    const { status } = await ask('a look at a link', { method: 'HEAD', path })
    if (status !== 405) violations.push(`HEAD is answered ${status}`)
  }
  if (seen.length > before || (await statusOf(1)) !== 'pending')
    violations.push('a forged form or a look at a link had an effect')

  // One click is one effect: many tabs, and the same click again and again.
  for (let id = 2; id < 2 + tabs; id++) {
    const page = await openPage(target, endpoint, id)
    const submitted = seen.length
    const click = () => ask('a click', postOf(page, 'outcome=paid', ownForm))
    const together = await Promise.all(Array.from({ length: 5 }, click))
    await ask('a click afterwards', postOf(page, 'outcome=cancelled', ownForm))
    if (seen.length - submitted !== 1)
      violations.push(`${seen.length - submitted} effects of one click in five tabs`)
    const done = `303 https://provider.example${page}/done`
    if (together.some(({ status, headers }) => `${status} ${headers.location}` !== done))
      violations.push('a click leads elsewhere than to the done page')
    if ((await statusOf(id)) !== 'paid')
      violations.push(`order ${id} is ${await statusOf(id)} after it was paid`)
    const shown = await ask('the page after its end', getOf(page))
    if (shown.body.includes('<form')) violations.push('a page asks again after its end')
    const referer = 'https://elsewhere.example'
    const { headers } = await ask('the way back', getOf(`${page}/return`, { referer }))
    if (headers.location !== redirect) violations.push(`the way back leads to ${headers.location}`)
    for (const query of ['?redirect_url=https://elsewhere.example', '?next=//elsewhere.example']) {
      const shown = await ask('a done page with a query', getOf(`${page}/done${query}`))
      if (shown.body.includes('elsewhere')) violations.push('the done page leads where its query says')
    }
  }
  await ask('no page', getOf('/p/nothing'))
  await ask('an address that cannot be decoded', getOf('/p/%zz'))
  await ask('too large a form', postOf(first, `a=${'x'.repeat(70_000)}`, ownForm))
  await ask('a compressed form', postOf(first, 'x', { ...ownForm, 'content-encoding': 'gzip' }))
  const fields = Array.from({ length: 2000 }, (_, at) => `f${at}=1`).join('&')
  await ask('too many fields', postOf(first, fields, ownForm))
  for (const [what, { status, headers, body }] of answers) {
    if (status >= 500) violations.push(`${what} is answered ${status}`)
    const missing = wanted.filter((name) => headers[name] === undefined)
    if (missing.length > 0) violations.push(`${what} has no ${missing.join(', ')}`)
    const isPage = body !== '' && /html/.test(String(headers['content-type']))
    if (isPage && !/form-action 'self'/.test(String(headers['content-security-policy'])))
      violations.push(`${what} may post its forms anywhere`)
  }
  return { requests: answers.length, violations: [...new Set(violations)] }
}
