import { afterEach, expect, test, vi } from 'vitest'
import { createProvider, memoryStore } from '../../../src/index.ts'

afterEach(() => vi.unstubAllEnvs())

const provider = (nameServers?: unknown) =>
  createProvider({
    store: memoryStore(),
    rates: { name: 'courier', quote: () => [] },
    ...(nameServers !== undefined && { network: { nameServers: nameServers as string[] } }),
  })

test.each<[string, unknown]>([
  ['a name', ['ns.example']],
  ['an address with a scheme', ['http://10.0.0.53']],
  ['a port that is too large', ['10.0.0.53:99999']],
  ['port 0', ['10.0.0.53:0']],
  ['port 0 of IPv6', ['[fd00::53]:0']],
  ['a port that is not a number', ['10.0.0.53:dns']],
  ['no address', []],
  ['an empty one', ['10.0.0.53', '']],
  ['nine of them', Array.from({ length: 9 }, (_, n) => `10.0.0.${n}`)],
  ['a number', 53],
  ['a list of numbers', [53]],
])('nameServers that is %s is refused by name, with what is wanted', (_what, nameServers) => {
  const such = 'such as 10.0.0.53, 10.0.0.53:5353 or [fd00::53]:5353'
  const message = `must be one to eight addresses of name servers, ${such}`
  const faults = [{ path: 'network.nameServers (PURVEYOR_NAME_SERVERS)', message }]
  const refused = expect.objectContaining({ code: 'CONFIGURATION_INVALID', faults })
  expect(() => provider(nameServers)).toThrow(refused)
})

test('PURVEYOR_NAME_SERVERS is a list with commas, and is looked at in the same way', () => {
  vi.stubEnv('PURVEYOR_NAME_SERVERS', '10.0.0.53, [fd00::53]:5353')
  expect(() => provider()).not.toThrow()
  vi.stubEnv('PURVEYOR_NAME_SERVERS', '10.0.0.53 10.0.0.54')
  expect(() => provider()).toThrow('PURVEYOR_NAME_SERVERS) must be one to eight addresses')
  vi.stubEnv('PURVEYOR_NAME_SERVERS', '')
  expect(() => provider()).not.toThrow()
})
