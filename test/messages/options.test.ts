import { expect, test } from 'vitest'
import { checkoutBody, estimateBody } from '../../src/testing/index.ts'
import { shopWith } from '../sandbox/provider.ts'

/** What the tools say of the same wrong option, each behind its own name. */
test.each([
  ['language', 'dutch', 'language must be two small letters, such as nl'],
  ['currency', 'euro', 'currency must be a code such as eur'],
  ['shop', '7', 'shop must be a whole number'],
  ['lines', [{ wieght: 5 }], 'lines[0].wieght is not an option: did you mean weight?'],
  ['customer', { fristname: 'Ann' }, 'customer.fristname is not an option: did you mean firstname?'],
  ['address', { country: 'Germany' }, 'address.country is not a country: write de'],
  ['billing', { zipcode: 1016 }, 'billing.zipcode must be text'],
])('%s that is %j is refused with one sentence by test kit and sandbox', async (name, value, says) => {
  const { sandbox, asked } = await shopWith()
  const given = { [name]: value } as never
  for (const call of [checkoutBody, estimateBody, sandbox.checkout])
    expect(() => call(given)).toThrow(
      expect.objectContaining({ code: 'ARGUMENT_INVALID', message: expect.stringContaining(says) }),
    )
  expect(asked).toEqual([])
})

test.each([
  [{ currency: 'euro' }, 'currency must be a code such as eur'],
  [{ country: 'Germany' }, 'country is not a country: write de'],
  [{ zipcode: 1016 }, 'zipcode must be text'],
  [{ language: 'dutch' }, 'language must be two small letters, such as nl'],
])('a step of a scenario with %o is refused in the same words, and so is a run', async (given, says) => {
  const { sandbox, asked } = await shopWith()
  const steps = [{ checkout: given as never }]
  await expect(sandbox.run({ name: 'own', title: 'Own', needs: ['rates'], steps })).rejects.toThrow(says)
  if (!('language' in given)) await expect(sandbox.run('asked-twice', given as never)).rejects.toThrow(says)
  expect(asked).toEqual([])
})
