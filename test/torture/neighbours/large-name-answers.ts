// The name server of some shops answers 4,000 addresses for ever new names. The starts of all other shops must not be affected.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { NeighbourReport } from './report.ts'
import { named, openShops } from './shops.ts'
import { type NeighbourSize, watch } from './turns.ts'

const badShops = 40

/** While the neighbours are well, each of their names has one address. */
export async function largeNameAnswers(size: NeighbourSize): Promise<NeighbourReport> {
  // In a process of its own, like any name server, so that the cost of writing such answers is not measured.
  const names = fork(new URL('./large-name-server.ts', import.meta.url))
  const [{ address }] = (await once(names, 'message')) as [{ address: string }]
  const psp = createServer((_req, res) => void res.end('{}'))
  await new Promise<void>((resolve) => psp.listen(0, '127.0.0.1', resolve))
  const { port } = psp.address() as AddressInfo
  const { provider, shops } = await openShops([...named('good', size.shops), ...named('bad', badShops)], {
    payments: {
      name: 'psp',
      methods: () => [],
      async start({ id, orderId }, { fetch, shop }) {
        const host = shop.id.startsWith('bad') ? `${shop.id}-${orderId}` : shop.id
        await fetch(`http://${host}.example:${port}/`, { headers: { connection: 'close' } })
        return { redirect: `http://127.0.0.1:${port}/${id}`, reference: id }
      },
    },
    network: { nameServers: [address] },
  })
  const start = (shop: string) => shops.start(shop, 'psp:card', `http://127.0.0.1:${port}/hook`)
  try {
    return await watch(size, {
      name: 'a name server that answers 4,000 addresses',
      deadline: 4_000,
      call: (number) => start(`good${number % size.shops}`),
      ownCall: (number) => start(`bad${number % badShops}`),
      begin() {
        names.send({ bad: true })
      },
      end() {
        names.send({ bad: false })
      },
      isWell: () => start('bad0'),
    })
  } finally {
    await provider.stop()
    psp.close().closeAllConnections()
    names.kill()
  }
}
