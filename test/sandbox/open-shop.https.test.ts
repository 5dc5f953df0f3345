import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:https'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { loopbackCertificate } from '../../src/sandbox/open-shop.ts'
import { openShop } from '../platform/sandbox.ts'

test('the certificate is for this machine alone, and signs no other', async () => {
  const { cert } = await loopbackCertificate()
  const leaf = new X509Certificate(cert)
  expect([leaf.verify(leaf.publicKey), leaf.ca]).toEqual([true, false])
  for (const address of ['127.0.0.1', '::1']) expect(leaf.checkIP(address)).toBe(address)
  expect(leaf.checkHost('localhost')).toBe('localhost')
  expect(leaf.checkHost('shop.example')).toBeUndefined()
  expect(Date.parse(leaf.validTo) - Date.now()).toBeLessThan(31 * 86_400_000)
  expect((await loopbackCertificate()).cert).not.toBe(cert)
})

test('the shop listens on https, at the root of its host too, and only to those who trust it', async () => {
  const shop = await openShop({ https: true })
  const { key, secret, baseUrl } = shop.api
  expect(baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/api$/)
  const get = async (url: string, ca?: string) => {
    const options = { auth: `${key}:${secret}`, ...(ca && { ca }), agent: false as const }
    const [res] = await once(request(url, options).end(), 'response')
    return (await json(res)) as { product: { brand: unknown; variants: { resource: { link: string } } } }
  }
  const { product } = await get(`${shop.url}/nl/products/101.json`, shop.ca)
  expect(product.brand).toBe(false)
  expect(product.variants.resource.link).toBe(`${shop.url}/nl/variants.json?product=101`)
  await expect(get(`${baseUrl}/nl/shop.json`)).rejects.toThrow(/unable to verify|self.signed/)
})
