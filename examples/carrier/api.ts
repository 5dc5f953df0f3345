// A pretend carrier: it logs shops in, quotes parcels and lists points, in the shape that such APIs document. `node examples/carrier/api.ts`
// listens on port 4050.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface RateRequest {
  contract: string
  destination: { country?: string; postcode?: string }
  parcels: { weight: string }[]
}

/** The secrets of its accounts, by their id, and the contract of each. */
const accounts: Record<string, { secret: string; contract: string; perKilogram: number }> = {
  bikes: { secret: 'secret of bikes', contract: 'NL-1001', perKilogram: 0.5 },
  books: { secret: 'secret of books', contract: 'NL-1002', perKilogram: 0.25 },
}
const zones: Record<string, number> = { NL: 5.25, BE: 6.75, DE: 8.5 }

export interface PretendCarrier {
  url: string
  /** The calls that it got, such as `POST /v1/rates`. */
  calls: string[]
  /** Every call is answered with this status. */
  broken: number | undefined
  /** Ends all tokens. */
  revoke(): void
  close(): void
}

export async function pretendCarrier(port = 0): Promise<PretendCarrier> {
  const tokens = new Map<string, string>()
  const server = createServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://carrier')
    carrier.calls.push(`${req.method} ${pathname}`)
    const body = await text(req)
    if (carrier.broken) return answer(res, carrier.broken, refusal('UNAVAILABLE', 'Try again later'))
    if (pathname === '/oauth/token') return logIn(req, res, tokens)
    const account = accounts[tokens.get(req.headers.authorization ?? '') ?? '']
    if (!account)
      return answer(res, 401, refusal('INVALID_TOKEN', 'The access token is unknown or has ended'))
    if (pathname === '/v1/rates') return quote(res, account, JSON.parse(body) as RateRequest)
    if (pathname === '/v1/points') return list(res, account, searchParams)
    return answer(res, 404, refusal('NOT_FOUND', 'There is no such resource'))
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const carrier: PretendCarrier = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    broken: undefined,
    revoke: () => tokens.clear(),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return carrier
}

type Account = (typeof accounts)[string]

function logIn({ headers }: IncomingMessage, res: ServerResponse, tokens: Map<string, string>): unknown {
  const pair = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
  const [id = '', secret = ''] = pair.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
  if (accounts[id]?.secret !== secret) return answer(res, 401, { error: 'invalid_client' })
  const token = randomBytes(18).toString('base64url')
  tokens.set(`Bearer ${token}`, id)
  return answer(res, 200, {
    access_token: token,
    token_type: 'Bearer',
    expires_in: 3_600,
    scope: 'rates points',
  })
}

function quote(res: ServerResponse, { contract, perKilogram }: Account, asked: RateRequest): unknown {
  if (asked.contract !== contract) return answer(res, 403, refusal('CONTRACT_UNKNOWN', 'Not your contract'))
  const { country = '', postcode = '' } = asked.destination
  const zone = zones[country]
  if (zone === undefined)
    return answer(res, 422, refusal('DESTINATION_NOT_SERVED', `No service to ${country}`))
  if (postcode === '') return answer(res, 400, refusal('POSTCODE_REQUIRED', 'A postcode is required'))
  const weight = asked.parcels.reduce((sum, parcel) => sum + Number(parcel.weight), 0)
  const amount = (zone * asked.parcels.length + perKilogram * weight).toFixed(2)
  const name = { en: 'Parcel, at your door', nl: 'Pakket, aan de deur' }
  return answer(res, 200, {
    contract,
    products: [{ code: 'parcel', name, price: { amount, currency: 'EUR' }, parcels: asked.parcels.length }],
  })
}

function list(res: ServerResponse, { contract }: Account, asked: URLSearchParams): unknown {
  if (asked.get('contract') !== contract)
    return answer(res, 403, refusal('CONTRACT_UNKNOWN', 'Not your contract'))
  if (asked.get('country') !== 'nl')
    return answer(res, 404, refusal('NO_POINTS', 'There are no points there'))
  const price = { amount: '3.95', currency: 'EUR' }
  return answer(res, 200, {
    points: [
      { id: '2210', name: 'Kiosk', address: 'Damrak 1, Amsterdam', distance: 350, price },
      {
        id: '2217',
        name: 'Bookshop',
        address: 'Spui 14, Amsterdam',
        distance: 900,
        price,
      },
    ],
  })
}

const refusal = (code: string, message: string) => ({ errors: [{ code, message }] })

const answer = (res: ServerResponse, status: number, body: object) =>
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

if (import.meta.main) console.log((await pretendCarrier(4_050)).url)
