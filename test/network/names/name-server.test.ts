import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { NameServers } from '../../../src/network/names/name-server.ts'
import { openNameServer } from '../name-server.ts'
import { servedNames } from '../served-names.ts'

const addresses = Array.from({ length: 4_000 }, (_, n) => `93.184.${n >> 8}.${n & 255}`)

const names = () =>
  servedNames((name) => {
    if (name === 'missing.example') return 'not_found'
    return { addresses: name === 'large.example' ? addresses : addresses.slice(0, 2), ttl: 60 }
  })

test('of 4,000 addresses 16 are read, over TCP, as often as they are asked for', async () => {
  const { ask } = new NameServers([(await names()).address])
  // One after the other: each has two seconds, also on a busy machine.
  for (let time = 0; time < 5; time++)
    expect((await ask('large.example', 4)).map(({ address }) => address)).toEqual(addresses.slice(0, 16))
  const two = addresses.slice(0, 2).map((address) => ({ address, ttl: 60 }))
  expect(await ask('two.example', 4)).toEqual(two)
  await expect(ask('two.example', 6)).rejects.toMatchObject({ code: 'ENODATA' })
  await expect(ask('missing.example', 4)).rejects.toMatchObject({ code: 'ENOTFOUND' })
  await expect(ask('a..b', 4)).rejects.toMatchObject({ code: 'EBADNAME' })
})

test('the next server is asked where one fails, refuses or does not listen', async () => {
  const good = await names()
  for (const rule of ['failure', 'refused'] as const) {
    const bad = await servedNames(() => rule)
    expect(await new NameServers([bad.address, good.address]).ask('two.example', 4)).toHaveLength(2)
  }
  const gone = await openNameServer(() => 'silent')
  await gone.close()
  expect(await new NameServers([gone.address, good.address]).ask('two.example', 4)).toHaveLength(2)
})

test('a thousand names at once lose none, and the third server is reached in time where two are silent', async () => {
  const { address } = await servedNames(() => ({ addresses: ['192.0.2.1'] }))
  const silent = [await servedNames(() => 'silent'), await servedNames(() => 'silent')].map(
    (one) => one.address,
  )
  const { ask } = new NameServers([address])
  const all = Array.from({ length: 1_000 }, (_, name) => ask(`n${name}.example`, 4))
  expect((await Promise.all(all)).filter((found) => found.length !== 1)).toEqual([])
  const found = await new NameServers([...silent, address]).find('a.example', (ms, call) => {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  })
  expect(found.addresses).toHaveLength(1)
})

test('a process that may start no thread says that no name server answers', async () => {
  const file = new URL('../../../src/network/names/name-server.ts', import.meta.url).href
  const script = `
    const { NameServers } = await import(${JSON.stringify(file)})
    const servers = new NameServers(['127.0.0.1:9'])
    const after = (ms, call) => { const timer = setTimeout(call, ms); return () => clearTimeout(timer) }
    for (const name of ['a.example', 'b.example']) console.log((await servers.find(name, after)).failure)`
  const options = ['--permission', '--allow-fs-read=*', '--no-warnings', '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(process.execPath, options)
  expect(stdout).toBe('NAME_SERVER_FAILED\nNAME_SERVER_FAILED\n')
})

test('a query that was lost is sent again', async () => {
  let lost = 0
  const server = await servedNames(() => (lost++ === 0 ? 'silent' : { addresses: ['192.0.2.1'] }))
  expect(await new NameServers([server.address]).ask('a.example', 4)).toHaveLength(1)
})

test('an answer from another socket is not read', async () => {
  const server = createSocket('udp4')
  const stranger = createSocket('udp4')
  for (const socket of [server, stranger]) onTestFinished(() => void socket.close())
  server.on('message', (query, { port, address }) => {
    const forged = Buffer.from(query)
    forged.writeUInt8(0x81, 2)
    forged.writeUInt8(3, 3)
    stranger.send(forged, port, address)
    const right = Buffer.concat([query, Buffer.from('c00c00010001000000780004c0000201', 'hex')])
    right.writeUInt8(0x81, 2)
    right.writeUInt16BE(1, 6)
    setTimeout(() => server.send(right, port, address), 20)
  })
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  const { ask } = new NameServers([`127.0.0.1:${server.address().port}`])
  expect(await ask('a.example', 4)).toEqual([{ address: '192.0.2.1', ttl: 120 }])
})

test('a process that waits for a name stays until it is found, and ends by itself', async () => {
  const file = new URL('../../../src/network/names/name-server.ts', import.meta.url).href
  const script = `
    const { NameServers } = await import(${JSON.stringify(file)})
    const { ask } = new NameServers([${JSON.stringify((await names()).address)}])
    console.log((await ask('two.example', 4)).length)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toBe('2\n')
})
