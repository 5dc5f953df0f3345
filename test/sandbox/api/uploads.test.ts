import { expect, test } from 'vitest'
import { folderWith } from '../../folder.ts'
import { openShop } from '../../platform/sandbox.ts'
import { asJson, call } from './call.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

const contentOf = async (src: string) => {
  const answer = await fetch(src)
  const type = answer.headers.get('content-type')
  return { status: answer.status, type, bytes: Buffer.from(await answer.arrayBuffer()) }
}

test('a file in base64 is at its address until it is removed, and a new one takes its place', async () => {
  const shop = await openShop()
  const attachment = Buffer.from('hello').toString('base64')
  const note = asJson({ file: { filename: 'a note.txt', attachment } })
  const made = await call(shop, 'POST', 'nl/files.json', note)
  const { id, src, size, extension, mimetype } = made.body.file
  expect({ size, extension, mimetype }).toEqual({ size: 5, extension: 'txt', mimetype: 'text/plain' })
  expect(String((await contentOf(src)).bytes)).toBe('hello')
  const html = asJson({ file: { attachment: 'data:text/html;base64,PGI+' } })
  const changed = await call(shop, 'PUT', `nl/files/${id}.json`, html)
  expect(changed.body.file).toMatchObject({ size: 3, filename: 'a note.txt', mimetype: 'text/html' })
  expect((await contentOf(src)).status).toBe(404)
  const page = await fetch(changed.body.file.src)
  expect(page.headers.get('content-security-policy')).toMatch(/sandbox$/)
  await call(shop, 'DELETE', `nl/files/${id}.json`)
  expect((await contentOf(changed.body.file.src)).status).toBe(404)
})

test('a file elsewhere is only named', async () => {
  const attachment = 'https://cdn.shop.example/kiln.jpg'
  const sent = asJson({ file: { filename: 'kiln.jpg', attachment } })
  const { body } = await call(await openShop(), 'POST', 'nl/files.json', sent)
  expect(body.file).toMatchObject({ src: attachment, extension: 'jpg', size: 0 })
})

test('uploads outlive the shop in its file', async () => {
  const options = { file: `${folderWith()}/shop.db` }
  const first = await openShop(options, () => {})
  const mug = asJson({ file: { filename: 'mug.png', attachment: png.toString('base64') } })
  const { body } = await call(first, 'POST', 'nl/files.json', mug)
  await first.close()
  const again = await openShop(options)
  const { file } = (await call(again, 'GET', `nl/files/${body.file.id}.json`)).body
  expect((await contentOf(file.src)).bytes).toEqual(png)
})

test.each([
  ['text that is no base64', { filename: 'a', attachment: '<b>' }],
  ['a file without content', { filename: 'a' }],
])('%s is refused', async (_what, file) => {
  const { status, body } = await call(await openShop(), 'POST', 'nl/files.json', asJson({ file }))
  expect([status, body.error.code]).toEqual([422, 422])
})
