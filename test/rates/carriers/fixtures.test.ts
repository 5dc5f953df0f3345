import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { record, replay } from '../../../src/rates/carriers/fixtures.ts'
import { folderWith } from '../../folder.ts'

const answer = { status: 200, body: '{"amount":"5"}' }
const secret = 'TOPSECRET'

const recorded = async (call: { url: string; body?: string }) => {
  const folder = folderWith({})
  const asked = { method: 'POST', body: undefined, ...call }
  await record({ folder, mode: 'record' }, asked, answer)
  const [file = ''] = readdirSync(folder)
  return { folder, asked, text: readFileSync(join(folder, file), 'utf8') }
}

test.each([
  `https://carrier.example/rates?to=nl&api_key=${secret}`,
  `https://carrier.example/rates?to=nl&apiKey=${secret}&apiKey=${secret}`,
  `https://carrier.example/rates?to=nl&access_token=${secret}`,
  `https://carrier.example/rates?to=nl&sig=${secret}`,
  `https://user:${secret}@carrier.example/rates?to=nl`,
])('an answer is recorded without the key of %s, and replayed with another', async (url) => {
  const { folder, asked, text } = await recorded({ url })
  expect(text).not.toContain(secret)
  expect(text).toContain('to=nl')
  const other = { ...asked, url: url.replaceAll(secret, 'another') }
  expect(await replay({ folder, mode: 'replay' }, other)).toEqual(answer)
})

test('keys in the body are cut too, at any depth; another destination has a recording of its own', async () => {
  const bodyTo = (zipcode: string, key = secret) =>
    JSON.stringify({ login: { clientSecret: key, password: key }, parcels: [{ zipcode }] })
  const url = 'https://carrier.example/rates'
  const { folder, asked, text } = await recorded({ url, body: bodyTo('1016GV') })
  expect(text).not.toContain(secret)
  expect(JSON.parse(text)).toMatchObject({ url, asked: { parcels: [{ zipcode: '1016GV' }] } })
  const replayed = (body: string) => replay({ folder, mode: 'replay' }, { ...asked, body })
  expect(await replayed(bodyTo('1016GV', ''))).toEqual(answer)
  await expect(replayed(bodyTo('9999ZZ'))).rejects.toThrow('There is no recorded answer')
  for (const broken of ['', '{', 'null', '{"status":"200"}']) {
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), broken)
    await expect(replayed(bodyTo('1016GV'))).rejects.toThrow(
      'is not a recorded answer: remove it. Run once with',
    )
  }
})
