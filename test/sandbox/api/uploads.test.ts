import { expect, test } from 'vitest'
import type { Sandbox } from '../../../src/sandbox/index.ts'
import { folderWith } from '../../folder.ts'
import { openShop } from '../../platform/sandbox.ts'
import { asJson, call } from './call.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** A multipart body as `curl -F` and PHP write it: a file, and fields beside it. */
async function send(shop: Sandbox, path: string, fields: Record<string, string | Blob>, method = 'POST') {
  const { key, secret, baseUrl } = shop.api
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value)
    else body.append(name, value, 'mug.png')
  }
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`
  const answer = await fetch(`${baseUrl}/${path}`, { method, headers: { authorization }, body })
  // biome-ignore lint/suspicious/noExplicitAny: looked into freely
  return { status: answer.status, body: (await answer.json()) as any }
}

const contentOf = async (src: string) => {
  const answer = await fetch(src)
  const type = answer.headers.get('content-type')
  return { status: answer.status, type, bytes: Buffer.from(await answer.arrayBuffer()) }
}

test.each([
  ['without an envelope', { attachment: new Blob([png], { type: 'image/png' }), sortOrder: '2' }],
  [
    'with one',
    {
      'productImage[attachment]': new Blob([png], { type: 'image/png' }),
      'productImage[filename]': 'mug.png',
      'productImage[sortOrder]': '2',
    },
  ],
])('an image is uploaded as multipart %s, and is at its address', async (_how, fields) => {
  const shop = await openShop()
  const { status, body } = await send(shop, 'nl/products/101/images.json', fields)
  expect([status, body.productImage]).toMatchObject([
    201,
    { filename: 'mug.png', extension: 'png', size: png.length, sortOrder: 2 },
  ])
  expect(body.productImage).not.toHaveProperty('attachment')
  const { src, thumb } = body.productImage
  expect([src, thumb]).toEqual([expect.stringMatching(`^${shop.url}/uploads/`), src])
  expect(await contentOf(src)).toEqual({ status: 200, type: 'image/png', bytes: png })
})

test('a file in base64 is at its address until it is removed, and a new one takes its place', async () => {
  const shop = await openShop()
  const attachment = Buffer.from('hello').toString('base64')
  const made = await call(
    shop,
    'POST',
    'nl/files.json',
    asJson({ file: { filename: 'a note.txt', attachment } }),
  )
  const { id, src, size, extension, mimetype } = made.body.file
  expect({ size, extension, mimetype }).toEqual({ size: 5, extension: 'txt', mimetype: 'text/plain' })
  expect(String((await contentOf(src)).bytes)).toBe('hello')
  const changed = await call(
    shop,
    'PUT',
    `nl/files/${id}.json`,
    asJson({ file: { attachment: 'data:text/html;base64,PGI+' } }),
  )
  expect(changed.body.file).toMatchObject({ size: 3, filename: 'a note.txt', mimetype: 'text/html' })
  expect((await contentOf(src)).status).toBe(404)
  const page = await fetch(changed.body.file.src)
  expect(page.headers.get('content-security-policy')).toMatch(/sandbox$/)
  await call(shop, 'DELETE', `nl/files/${id}.json`)
  expect((await contentOf(changed.body.file.src)).status).toBe(404)
})

test('a single image replaces the one before, and a picture elsewhere is only named', async () => {
  const shop = await openShop()
  const attachment = 'https://cdn.shop.example/kiln.jpg'
  const image = { filename: 'kiln.jpg', attachment }
  const { body } = await call(shop, 'POST', 'nl/brands/1/image.json', asJson({ brandImage: image }))
  expect(body.brandImage).toMatchObject({ src: attachment, extension: 'jpg' })
  const second = await send(shop, 'nl/brands/1/image.json', { attachment: new Blob([png]) })
  expect(second.status).toBe(201)
  const read = (await call(shop, 'GET', 'nl/brands/1/image.json')).body.brandImage
  expect(read).toEqual(second.body.brandImage)
})

test('uploads outlive the shop in its file', async () => {
  const options = { file: `${folderWith()}/shop.db` }
  const first = await openShop(options, () => {})
  const { body } = await send(first, 'nl/files.json', { attachment: new Blob([png]) })
  await first.close()
  const again = await openShop(options)
  const { file } = (await call(again, 'GET', `nl/files/${body.file.id}.json`)).body
  expect((await contentOf(file.src)).bytes).toEqual(png)
})

test('a multipart body without an attachment says so, also if its file has another name', async () => {
  const shop = await openShop()
  const { status, body } = await send(shop, 'nl/files.json', { file: new Blob([png]) })
  expect([status, body.error.message]).toEqual([422, 'attachment is required.'])
})

test.each([
  ['half a multipart body', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data', 400],
  ['multipart without a boundary', 'multipart/form-data', '--x--', 400],
  ['text that is no base64', 'application/json', '{"file":{"filename":"a","attachment":"<b>"}}', 422],
  ['a file without content', 'application/json', '{"file":{"filename":"a"}}', 422],
])('%s is refused', async (_what, type, text, status) => {
  const shop = await openShop()
  const answer = await call(shop, 'POST', 'nl/files.json', { type, text })
  expect([answer.status, answer.body.error.code]).toEqual([status, status])
})
