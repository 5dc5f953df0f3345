import { ordersAndPays, type Scenario } from './scenario.ts'

/** Lists of methods, and the ways in which shops request them. */
export const methods: Scenario[] = [
  {
    name: 'cart-and-checkout-agree',
    title: 'The cart and the checkout show the same shipping methods',
    needs: ['shipment', 'payment'],
    steps: [{ estimate: {} }, { checkout: {} }, { expect: { methods: 'same' } }, ...ordersAndPays],
  },
  {
    name: 'asked-twice',
    title: 'Two requests of a checkout get the same methods with the same ids',
    needs: ['shipment', 'payment'],
    steps: [{ checkout: {} }, { checkout: {} }, { expect: { methods: 'same' } }, ...ordersAndPays],
  },
  {
    name: 'calls-doubled',
    title: 'Every call of a checkout is made twice at the same moment',
    needs: ['shipment', 'payment'],
    steps: [{ switch: { calls: 'doubled' } }, { checkout: {} }, ...ordersAndPays],
  },
  {
    name: 'lists-kept',
    title: 'The shop caches the lists of methods for twelve hours',
    needs: ['shipment', 'payment'],
    steps: [
      { switch: { methodLists: '12h' } },
      { checkout: {} },
      { move: '6h' },
      { checkout: {} },
      { expect: { methodCalls: 2, methods: 'same' } },
      ...ordersAndPays,
    ],
  },
  {
    name: 'three-seconds',
    title: 'The shop waits at most three seconds for an answer',
    needs: ['shipment', 'payment'],
    steps: [
      { switch: { cutOff: '3s' } },
      { checkout: {} },
      { expect: { methods: 'some' } },
      ...ordersAndPays,
    ],
  },
  ...(['missing', 'null', 'text', 'false'] as const).map((noData) => ({
    name: `no-data-${noData}`,
    title: `Fields without data are ${noData === 'text' ? 'empty text' : noData}`,
    needs: ['shipment', 'payment'] as Scenario['needs'],
    steps: [
      { switch: { noData } },
      { checkout: { address1: '' } },
      { expect: { methods: 'some' as const } },
      ...ordersAndPays,
    ],
  })),
]
