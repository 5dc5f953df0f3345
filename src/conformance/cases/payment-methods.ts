import { type ConformanceCase, casesOf } from '../case.ts'
import { expectThat, Skip, shown } from '../exchange.ts'
import { iconSize } from '../picture.ts'
import { listIn } from '../target.ts'
import { methodCases } from './methods.ts'

const { width, height } = iconSize

const shared = { topic: 'payment methods', about: 'payments', section: 'spec 4.3' } as const

/** POST payment_methods (spec 4.3, 2.6). */
export const paymentMethodCases: ConformanceCase[] = [
  ...methodCases({
    ...shared,
    prefix: 'payment-methods',
    key: 'payment_methods',
    ask: (target) => target.paymentMethods(),
  }),
  ...casesOf(shared, {
    'payment-methods-icon-size': {
      title: 'The image of an icon has 50 by 32 pixels',
      section: 'spec 8',
      level: 'should',
      platform: 'It squeezes the image, or shows none.',
      remedy: 'Serve a PNG, SVG or another image of 50 by 32 pixels.',
      async run(target) {
        const { json } = await target.paymentMethods()
        const icons = new Set(listIn(json, 'payment_methods').map(({ icon }) => icon))
        const addresses = [...icons].filter((icon) => typeof icon === 'string' && icon.startsWith('https://'))
        if (addresses.length === 0) throw new Skip('No method has an icon of its own')
        const pictures = await Promise.all(addresses.map((address) => target.picture(String(address))))
        const sized = pictures.map((picture, place) => ({ picture, address: addresses[place] }))
        for (const { picture, address } of sized) {
          const isRight = !('fault' in picture) && picture.width === width && picture.height === height
          const received =
            'fault' in picture ? picture.fault : `has ${picture.width} by ${picture.height} pixels`
          if ('reached' in picture && !picture.reached) continue
          expectThat(isRight, `an image of ${width} by ${height} pixels`, `${shown(address)} ${received}`)
        }
        const isRead = pictures.some((picture) => !('fault' in picture))
        if (!isRead) throw new Skip('The images of the icons cannot be read from here')
      },
    },
    'payment-methods-free-order': {
      title: 'A quote of 0 is answered',
      platform: 'A customer whose voucher covers the whole order cannot continue.',
      remedy: 'Answer 201, with an empty list if you accept no payment of 0.',
      async run(target) {
        const message = target.checkoutMessage()
        const totals = { sub_total: 0, taxes: [], grand_total: 0 }
        Object.assign(message.quote, { price_incl: 0, price_excl: 0, totals })
        await target.mustAnswer('payment_methods', await target.call('payment_methods', { json: message }))
      },
    },
  }),
]
