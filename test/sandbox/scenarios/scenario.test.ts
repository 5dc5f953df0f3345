import { expect, test } from 'vitest'
import type { Step } from '../../../src/sandbox/index.ts'
import { shopWith } from '../provider.ts'

test.each<[object, string]>([
  [{ ordr: {} }, 'ordr is not an option: did you mean order?'],
  [{ choose: 'paid', tab: 2 }, 'tab is not an option: did you mean tabs?'],
  [{ payAgain: { line: 'heavy' } }, 'payAgain.line is not an option: did you mean lines?'],
  [{ expect: { ordr: 'paid' } }, 'expect.ordr is not an option: did you mean order?'],
  [{ order: { customer: 'xx' } }, 'order.customer "xx" is not known: '],
  [{ order: { shipmnt: 'first' } }, 'order.shipmnt is not an option: did you mean shipment?'],
])('of the steps of a scenario %j is refused before the first is taken', async (wrong, says) => {
  const { sandbox, asked } = await shopWith()
  const steps = [{ checkout: {} }, wrong as Step]
  await expect(sandbox.run({ name: 'own', title: 'Own', needs: [], steps })).rejects.toThrow(
    expect.objectContaining({
      code: 'ARGUMENT_INVALID',
      message: expect.stringContaining(`run(): steps[1]: ${says}`),
    }),
  )
  expect(asked).toEqual([])
})
