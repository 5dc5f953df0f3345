import type { SwitchValues } from '../switches.ts'
import { ordersAndPays, type ScenarioByName, scenariosOf } from './scenario.ts'

/** Lists of methods, and the ways in which shops request them. */
export const methods = scenariosOf(['shipment', 'payment'], {
  'cart-and-checkout-agree': {
    title: 'The cart and the checkout show the same shipping methods',
    steps: [{ estimate: {} }, { checkout: {} }, { expect: { methods: 'same' } }, ...ordersAndPays],
  },
  'asked-twice': {
    title: 'Two requests of a checkout get the same methods with the same ids',
    steps: [{ checkout: {} }, { checkout: {} }, { expect: { methods: 'same' } }, ...ordersAndPays],
  },
  'calls-doubled': {
    title: 'Every call of a checkout is made twice at the same moment',
    steps: [{ switch: { calls: 'doubled' } }, { checkout: {} }, ...ordersAndPays],
  },
  'lists-kept': {
    title: 'The shop caches the lists of methods for twelve hours',
    steps: [
      { switch: { methodLists: '12h' } },
      { checkout: {} },
      { move: '6h' },
      { checkout: {} },
      { expect: { methodCalls: 2, methods: 'same' } },
      ...ordersAndPays,
    ],
  },
  'three-seconds': {
    title: 'The shop waits at most three seconds for an answer',
    steps: [
      { switch: { cutOff: '3s' } },
      { checkout: {} },
      { expect: { methods: 'some' } },
      ...ordersAndPays,
    ],
  },
  'no-data-missing': withoutData('missing'),
  'no-data-null': withoutData('null'),
  'no-data-text': withoutData('text'),
  'no-data-false': withoutData('false'),
})

function withoutData(noData: SwitchValues['noData']): ScenarioByName {
  return {
    title: `Fields without data are ${noData === 'text' ? 'empty text' : noData}`,
    steps: [
      { switch: { noData } },
      { checkout: { address1: '' } },
      { expect: { methods: 'some' } },
      ...ordersAndPays,
    ],
  }
}
