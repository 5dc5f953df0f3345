import { expect, test } from 'vitest'
import { openShop } from '../../platform/sandbox.ts'
import { asJson, call } from './call.ts'

test('a file lies where its attachment says', async () => {
  const shop = await openShop()
  const attachment = 'https://cdn.shop.example/kiln.jpg'
  const sent = asJson({ file: { filename: 'kiln.jpg', attachment } })
  const { body } = await call(shop, 'POST', 'nl/files.json', sent)
  expect(body.file).toMatchObject({ src: attachment, filename: 'kiln.jpg' })
  const moved = asJson({ file: { attachment: `${attachment}?2` } })
  const changed = await call(shop, 'PUT', `nl/files/${body.file.id}.json`, moved)
  expect(changed.body.file).toMatchObject({ src: `${attachment}?2`, filename: 'kiln.jpg' })
})

test.each([
  ['a content in place of an address', { filename: 'a', attachment: 'aGVsbG8=' }],
  ['a file without one', { filename: 'a' }],
])('%s is refused', async (_what, file) => {
  const { status, body } = await call(await openShop(), 'POST', 'nl/files.json', asJson({ file }))
  expect([status, body.error.code]).toEqual([422, 422])
})
