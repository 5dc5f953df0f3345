import { expect, test } from 'vitest'
import { probeEndpoint } from '../../src/platform/registration.ts'
import { listening } from '../listening.ts'
import { serveOrigin } from '../serve-origin.ts'

const probe = (endpoint: string, allowLoopback = true) =>
  probeEndpoint(endpoint, 'shipment', { allowLoopback })

test('an endpoint in development behind a tunnel says that it serves its own machine only, and the remedy', async () => {
  const { provider, endpoint } = await listening({ rates: { name: 'none', quote: () => [] } })
  const tunnel = await serveOrigin((req, res) => {
    req.headers['x-forwarded-for'] = '192.0.2.7'
    provider.router(req as never, res as never, () => expect.unreachable())
  })
  expect(await probe(endpoint)).toBeUndefined()
  expect(await probe(`${tunnel}${new URL(endpoint).pathname}`)).toMatch(
    /^POST shipment_methods is answered 403, instead of 201\. Development serves callers on this machine only\..*set PURVEYOR_PUBLIC_URL to your https address.*\.$/,
  )
})

test('an endpoint that is not there, redirects, or may not be called says why, and what to do', async () => {
  const { endpoint } = await listening({ rates: { name: 'none', quote: () => [] } })
  expect(await probe(`${endpoint}x`)).toMatch(
    /answered 404, instead of 201\. Check that this is the provider with the store/,
  )
  const elsewhere = await serveOrigin((_, res) => void res.writeHead(302, { location: endpoint }).end())
  expect(await probe(elsewhere)).toMatch(/answered 302, a redirect, which is not followed, instead of 201/)
  expect(await probe('https://provider.internal/e/1', false)).toBe(
    'POST shipment_methods got no answer: The address may not be called: its host is not public. Set PURVEYOR_PUBLIC_URL to the https address that shops call.',
  )
})
