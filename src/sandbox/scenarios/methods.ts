import type { SwitchValues } from '../switches.ts'
import { paysInAnyWay, type ScenarioByName, type Step, scenariosOf } from './scenario.ts'

const estimated: Step = { onlyIf: { methods: 'some' }, otherwise: 'The provider has no estimate for it' }

/** Lists of methods, and the ways in which shops request them. A provider of shipping, of payment or of both can play them. */
export const methods = scenariosOf([], {
  'cart-and-checkout-agree': {
    title: 'The cart and the checkout show the same shipping methods',
    needs: ['rates'],
    steps: [{ estimate: {} }, estimated, { checkout: {} }, { expect: { methods: 'same' } }, ...paysInAnyWay],
  },
  'asked-twice': {
    title: 'Two requests of a checkout get the same methods with the same ids',
    steps: [{ checkout: {} }, { checkout: {} }, { expect: { methods: 'same' } }, ...paysInAnyWay],
  },
  'calls-doubled': {
    title: 'Every call of a checkout is made twice at the same moment',
    steps: [
      { switch: { calls: 'doubled' } },
      { checkout: {} },
      { expect: { methods: 'some', answers: 'valid' } },
      ...paysInAnyWay,
    ],
  },
  'lists-kept': {
    title: 'The shop caches the lists of methods for twelve hours',
    steps: [
      { switch: { methodLists: '12h' } },
      { checkout: {} },
      { move: '6h' },
      { checkout: {} },
      { expect: { methodCalls: 1, methods: 'same' } },
      ...paysInAnyWay,
    ],
  },
  'three-seconds': {
    title: 'The shop waits at most three seconds for an answer',
    steps: [{ switch: { cutOff: '3s' } }, { checkout: {} }, { expect: { methods: 'some' } }, ...paysInAnyWay],
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
      ...paysInAnyWay,
    ],
  }
}
