import { expect, test } from 'vitest'
import { withoutUserInfo } from '../../src/shops/shop.ts'

test.each([
  ['https://key:secret@api.example/v1/', { key: 'key', secret: 'secret', baseUrl: 'https://api.example/v1' }],
  ['https://a%40b:c%3Ad@api.example', { key: 'a@b', secret: 'c:d', baseUrl: 'https://api.example' }],
  ['https://api.example/', { baseUrl: 'https://api.example/' }],
  ['nowhere', { baseUrl: 'nowhere' }],
])('%s', (baseUrl, split) => {
  expect(withoutUserInfo({ baseUrl })).toEqual(split)
})

test('the same ones twice are fine, others are refused without their values', () => {
  const given = { baseUrl: 'https://key:secret@api.example', key: 'key', secret: 'secret' }
  expect(withoutUserInfo(given)).toEqual({ ...given, baseUrl: 'https://api.example' })
  expect(() => withoutUserInfo({ ...given, secret: 'another' })).toThrow(
    /^(?!.*another one)(?!.*"secret").*secret/s,
  )
  expect(() => withoutUserInfo({ ...given, key: 'mine' })).toThrow(
    expect.objectContaining({ code: 'ARGUMENT_INVALID', message: expect.not.stringContaining('mine') }),
  )
})
