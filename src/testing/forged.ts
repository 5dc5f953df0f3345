import { wrongCall } from '../errors.ts'
import type { PaymentPush } from '../payments/adapter.ts'

/** A forged push, with the change that made it. */
export interface ForgedPush {
  how: string
  push: PaymentPush
}

const flipped = (body: Buffer, at: number): Buffer => {
  const copy = Buffer.from(body)
  copy[at]! ^= 1
  return copy
}

/** All forgeries of a genuine push: flipped bits, headers removed and changed, the body cut and emptied. */
export function forgedPushes(genuine: PaymentPush): ForgedPush[] {
  const { body, headers, query } = Object(genuine) as PaymentPush
  if (!Buffer.isBuffer(body) || typeof headers !== 'object' || headers === null)
    throw wrongCall('forgedPushes() takes a push such as { body: Buffer, headers, query }')
  const places = [...new Set([0, body.length >> 2, body.length >> 1, body.length - 1])].filter(
    (at) => at in body,
  )
  const signing = Object.keys(headers).filter((name) => /sign|hmac|digest|auth|token|hook/i.test(name))
  return [
    ...places.map((at) => ({
      how: `one bit of byte ${at} flipped`,
      push: { ...genuine, body: flipped(body, at) },
    })),
    { how: 'a byte added', push: { ...genuine, body: Buffer.concat([body, Buffer.from(' ')]) } },
    { how: 'cut in half', push: { ...genuine, body: body.subarray(0, body.length >> 1) } },
    { how: 'emptied', push: { ...genuine, body: Buffer.alloc(0) } },
    { how: 'without headers', push: { ...genuine, headers: {} } },
    ...signing.flatMap((name) => {
      const value = headers[name]!
      const altered = `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`
      const { [name]: _, ...others } = headers
      return [
        { how: `${name} changed`, push: { ...genuine, headers: { ...headers, [name]: altered } } },
        { how: `${name} emptied`, push: { ...genuine, headers: { ...headers, [name]: '' } } },
        { how: `${name} removed`, push: { ...genuine, headers: others } },
        {
          how: `${name} of another length`,
          push: { ...genuine, headers: { ...headers, [name]: `${value}00` } },
        },
      ]
    }),
    ...(query === '' ? [] : [{ how: 'without its query', push: { ...genuine, query: '' } }]),
  ]
}
