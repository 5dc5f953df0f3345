// The name server of some shops answers 4,000 addresses for ever new names. The starts of all other shops must not be affected.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { NeighbourReport } from './report.ts'
import { named, openShopsByName } from './shops.ts'
import { type NeighbourSize, watch } from './turns.ts'

const badShops = 40

/** While the neighbours are well, each of their names has one address. */
export async function largeNameAnswers(size: NeighbourSize): Promise<NeighbourReport> {
  // In a process of its own, like any name server, so that the cost of writing such answers is not measured.
  const names = fork(new URL('./large-name-server.ts', import.meta.url))
  const [{ address }] = (await once(names, 'message')) as [{ address: string }]
  using ends = new DisposableStack()
  ends.defer(() => void names.kill())
  const hostOf = (shop: string, order: string) =>
    shop.startsWith('bad') ? `${shop}-${order}.example` : `${shop}.example`
  const ids = [...named('good', size.shops), ...named('bad', badShops)]
  await using opened = await openShopsByName(ids, address, hostOf)
  const { shops, port } = opened
  const start = (shop: string) => shops.start(shop, 'psp:card', `http://127.0.0.1:${port}/hook`)
  return await watch(size, {
    name: 'a name server that answers 4,000 addresses',
    deadline: 4_000,
    call: (number) => start(`good${number % size.shops}`),
    ownCall: (number) => start(`bad${number % badShops}`),
    begin: () => names.send({ bad: true }),
    end: () => names.send({ bad: false }),
    isWell: () => start('bad0'),
  })
}
