import { createServer } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loopbackCertificate } from '../../src/sandbox/open-shop.ts'
import { atEnd } from '../at-end.ts'
import { openServer } from '../serve-origin.ts'
import { checked } from './checked.ts'
import type { Change } from './plain-provider.ts'

const before = getCACertificates('default')
let origin = ''

const svg = (width: number, height: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"></svg>`
const pictures: Record<string, string> = {
  '/right.svg': svg(50, 32),
  '/large.svg': svg(500, 320),
  '/page': '<!doctype html><p>Welcome',
}

/** A host of icons with a certificate that this process trusts. */
beforeAll(async () => {
  const certificate = await loopbackCertificate()
  const icons = createServer(certificate, (req, res) => {
    const picture = pictures[req.url!]
    res.writeHead(picture === undefined ? 404 : 200).end(picture)
  })
  origin = `https://127.0.0.1:${(await openServer(icons, atEnd)).port}`
  setDefaultCACertificates([...before, certificate.cert])
})
afterAll(() => setDefaultCACertificates(before))

test.each([
  ['50 by 32 pixels', ['/right.svg'], 'passed', undefined],
  ['another size', ['/right.svg', '/large.svg'], 'advice', /large\.svg has 500 by 320 pixels$/],
  ['a page in place of a picture', ['/page'], 'advice', /page is not a readable image$/],
  ['nothing at its address', ['/gone.png'], 'advice', /gone\.png answers 404$/],
  ['a host that cannot be reached', ['https://127.0.0.1:9/icon.png'], 'skipped', undefined],
])('an icon of its own with %s', async (_what, icons, result, received) => {
  const addresses = icons.map((icon) => URL.parse(icon, origin)!.href)
  const withIcons: Change = (parts) => ({
    async paymentMethods(body) {
      const answer = await parts.paymentMethods(body)
      const [method] = (answer.body as { payment_methods: { id: string }[] }).payment_methods
      const methods = addresses.map((icon, at) => ({ ...method, id: `method-${at}`, icon }))
      return { ...answer, body: { payment_methods: methods } }
    },
  })
  const { results } = await checked(withIcons, { cases: ['payment-methods-icon-size'] })
  const said = { expected: 'an image of 50 by 32 pixels', received: expect.stringMatching(received ?? '') }
  expect(results).toMatchObject([{ result, ...(received && said) }])
})
