// The name server of some shops answers 4,000 addresses for ever new names. The starts of all other shops must not notice.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { createProvider, memoryStore } from '../../../src/index.ts'
import { openNameServer } from '../../network/name-server.ts'
import type { NeighbourReport } from './report.ts'
import { CallingShops, named } from './shops.ts'
import { type NeighbourSize, watch } from './turns.ts'

const badShops = 10
const large = Array.from({ length: 4_000 }, () => '127.0.0.1')

/** While the neighbours are well, each of their names has one address. */
export async function largeNameAnswers(size: NeighbourSize): Promise<NeighbourReport> {
  let bad = false
  const names = await openNameServer((name) => ({
    addresses: bad && name.startsWith('bad') ? large : ['127.0.0.1'],
    ttl: 5,
  }))
  const psp = createServer((_req, res) => void res.end('{}'))
  await new Promise<void>((resolve) => psp.listen(0, '127.0.0.1', resolve))
  const { port } = psp.address() as AddressInfo
  const provider = createProvider({
    store: memoryStore(),
    port: 0,
    development: true,
    nameServers: [names.address],
    logger: pino({ level: 'silent' }),
    payments: {
      name: 'psp',
      methods: () => [],
      async start({ id, orderId }, { fetch, shop }) {
        const host = shop.id.startsWith('bad') ? `${shop.id}-${orderId}` : shop.id
        await fetch(`http://${host}.example:${port}/`, { headers: { connection: 'close' } })
        return { redirect: `http://127.0.0.1:${port}/${id}`, reference: id }
      },
    },
  })
  await provider.listen({ host: '127.0.0.1' })
  const shops = new CallingShops(provider)
  await shops.add([...named('good', size.shops), ...named('bad', badShops)])
  const start = (shop: string) => shops.start(shop, 'psp:card', `http://127.0.0.1:${port}/hook`)
  try {
    return await watch(
      {
        name: 'a name server that answers 4,000 addresses',
        deadline: 4_000,
        call: (number) => start(`good${number % size.shops}`),
        ownCall: (number) => start(`bad${number % badShops}`),
        begin() {
          bad = true
        },
        end() {
          bad = false
        },
        isWell: () => start('bad0'),
      },
      size,
    )
  } finally {
    await provider.stop()
    psp.close().closeAllConnections()
    await names.close()
  }
}
