import { createSocket } from 'node:dgram'
import { expect, test } from 'vitest'
import { networkChecks } from '../../../src/cli/doctor/network.ts'
import { atEnd } from '../../at-end.ts'
import { found } from './found.ts'

/** A name server that says of each name whether it exists, fails (2), or says nothing. Resolves with its address. */
async function server(codeOf: (name: string) => number | undefined): Promise<string> {
  const socket = createSocket('udp4')
  atEnd(() => socket.close())
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = []
    for (let at = 12; query[at]! > 0; at += query[at]! + 1)
      labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
    const code = codeOf(labels.join('.'))
    if (code === undefined) return
    const answer = Buffer.from(query)
    answer[2] = 0x81
    answer[3] = 0x80 | code
    socket.send(answer, port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return `127.0.0.1:${socket.address().port}`
}

const check = (nameServers: string[] | undefined, development = false) =>
  networkChecks['name servers']!({
    provider: { development },
    described: { nameServers, publicUrl: 'https://provider.example' },
    store: { lanes: async () => [{ to: 'hooks.example:8443' }, { to: '127.0.0.1:9' }] },
  } as never)

test('name servers that answer are well, also where a name does not exist', async () => {
  const well = await server((name) => (name.endsWith('.invalid') ? 3 : 0))
  expect(await check([well])).toEqual({ verdict: 'ok', says: 'The name server answers' })
  expect(await check([well, await server(() => 3)])).toMatchObject({ says: 'All name servers answer' })
})

test('one that is silent is named, and that all are', async () => {
  const [silent, well] = [await server(() => undefined), await server(() => 3)]
  const [one, all] = await Promise.all([check([well, silent]), check([silent], true)])
  expect(one).toMatchObject({
    verdict: 'warn',
    says: `${silent} does not answer; the other name servers do`,
    remedy: 'purveyor explain NAME_SERVER_FAILED',
  })
  const hosts = 'provider.example, hooks.example, purveyor.invalid'
  expect(all).toMatchObject(found('fail', `No name server answers (${silent}), for any of ${hosts}`))
})

test('a host whose own name server fails is named, and the others are well', async () => {
  const failing = await server((name) => (name === 'hooks.example' ? 2 : 3))
  expect(await check([failing])).toMatchObject({
    verdict: 'warn',
    says: 'The name servers fail for hooks.example, and find other hosts',
  })
})

test('in development nothing is looked up, unless name servers are given', async () => {
  expect(await check(undefined, true)).toMatchObject({ verdict: 'skipped' })
})
