// The receivers of some shops answer each code from 100 to 599, one order after the other. No other shop must be affected.
import type { ServerResponse } from 'node:http'
import { PaidOrders } from './paid-orders.ts'
import type { NeighbourReport } from './report.ts'
import { named, redirecting } from './shops.ts'
import { type NeighbourSize, watch } from './turns.ts'

const badShops = 5
const deadline = 5_000
const codes = 500
/** The codes come in steps of so many, so that each hundred has several answers in a row. */
const step = 7
/** A bad shop has so many orders at once, beside four times as many of others. */
const atOnce = 10

/** Also what no server sends as its last word, such as 100, and what promises a body that never comes. */
function answerWith(code: number, res: ServerResponse): void {
  const { socket } = res
  socket?.end(`HTTP/1.1 ${code} Code\r\ncontent-length: 4\r\nretry-after: 1\r\nlocation: /\r\n\r\ncode`)
}

export async function receiverOfAllCodes(size: NeighbourSize): Promise<NeighbourReport> {
  const shops = named('good', size.shops)
  await using orders = await PaidOrders.open([redirecting('psp')], [...shops, ...named('bad', badShops)])
  let isBad = false
  let answered = 0
  orders.answerOf = ({ shop }) => {
    if (!isBad || !shop.startsWith('bad')) return undefined
    const code = 100 + ((answered++ * step) % codes)
    return (res) => answerWith(code, res)
  }
  return await watch(size, {
    name: 'receivers that answer each code from 100 to 599',
    deadline,
    call: (number) => orders.payAndHear(shops[number % shops.length]!, 'card', deadline),
    async ownCall(number) {
      if (number % (4 * atOnce) !== 0) return
      const shop = `bad${(number / (4 * atOnce)) % badShops}`
      const paid = Array.from({ length: atOnce }, () => orders.start(shop, 'card'))
      for (const order of await Promise.all(paid)) void orders.report(order)
    },
    begin: () => (isBad = true),
    end: () => (isBad = false),
    isWell: () => orders.payAndHear('bad0', 'card', deadline),
  })
}
