import type { SwitchValues } from '../switches.ts'
import { paysInAnyWay, type Step, scenario, scenariosOf } from './scenario.ts'

const estimated: Step = { onlyIf: { methods: 'some' }, otherwise: 'The provider has no estimate for it' }

/** Lists of methods, and the ways in which shops request them. A provider of shipping, of payment or of both can play them. */
export const methods = scenariosOf([], {
  'cart-and-checkout-agree': scenario(
    'The cart and the checkout show the same shipping methods',
    [{ estimate: {} }, estimated, { checkout: {} }, { expect: { methods: 'same' } }, ...paysInAnyWay],
    'rates',
  ),
  'asked-twice': scenario('Two requests of a checkout get the same methods with the same ids', [
    { checkout: {} },
    { checkout: {} },
    { expect: { methods: 'same' } },
    ...paysInAnyWay,
  ]),
  'calls-doubled': scenario('Every call of a checkout is made twice at the same moment', [
    { switch: { calls: 'doubled' } },
    { checkout: {} },
    { expect: { methods: 'some', answers: 'valid' } },
    ...paysInAnyWay,
  ]),
  'lists-kept': scenario('The shop caches the lists of methods for twelve hours', [
    { switch: { methodLists: '12h' } },
    { checkout: {} },
    { move: '6h' },
    { checkout: {} },
    { expect: { methodCalls: 1, methods: 'same' } },
    ...paysInAnyWay,
  ]),
  'three-seconds': scenario('The shop waits at most three seconds for an answer', [
    { switch: { cutOff: '3s' } },
    { checkout: {} },
    { expect: { methods: 'some' } },
    ...paysInAnyWay,
  ]),
  'no-data-missing': withoutData('missing'),
  'no-data-null': withoutData('null'),
  'no-data-text': withoutData('text'),
  'no-data-false': withoutData('false'),
})

function withoutData(noData: SwitchValues['noData']) {
  const checks: Step[] = [{ checkout: { address1: '' } }, { expect: { methods: 'some' } }]
  const title = `Fields without data are ${noData === 'text' ? 'empty text' : noData}`
  return scenario(title, [{ switch: { noData } }, ...checks, ...paysInAnyWay])
}
