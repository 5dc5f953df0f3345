import type { PaymentPush } from '../payments/adapter.ts'

/** A push that its payment service did not send, and how it was made. */
export interface ForgedPush {
  how: string
  push: PaymentPush
}

const flipped = (body: Buffer, at: number): Buffer => {
  const copy = Buffer.from(body)
  copy[at]! ^= 1
  return copy
}

/** Everything that can be done to a genuine push: bits turned, headers taken out and altered, the body cut and emptied. */
export function forgedPushes(genuine: PaymentPush): ForgedPush[] {
  const { body, headers, query } = genuine
  const places = [...new Set([0, body.length >> 2, body.length >> 1, body.length - 1])].filter(
    (at) => at in body,
  )
  const signing = Object.keys(headers).filter((name) => /sign|hmac|digest|auth|token|hook/i.test(name))
  return [
    ...places.map((at) => ({
      how: `one bit of byte ${at} turned`,
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
        { how: `${name} altered`, push: { ...genuine, headers: { ...headers, [name]: altered } } },
        { how: `${name} emptied`, push: { ...genuine, headers: { ...headers, [name]: '' } } },
        { how: `${name} taken out`, push: { ...genuine, headers: others } },
        {
          how: `${name} of another length`,
          push: { ...genuine, headers: { ...headers, [name]: `${value}00` } },
        },
      ]
    }),
    ...(query === '' ? [] : [{ how: 'without its query', push: { ...genuine, query: '' } }]),
  ]
}
