import { expect, test } from 'vitest'
import { HtmlForm } from '../../../src/http/pages/form.ts'
import type { Field, FormState } from '../../../src/payments/pages/page-form.ts'

const form = (state?: unknown) => new HtmlForm((key) => key, state as FormState)
const whole = (state?: unknown) => String(form(state).whole({ button: 'pay', parts: [] }))
const code = { name: 'code', label: 'Code' }

test('an error that is not defined is none', () => {
  expect(whole({ errors: { code: undefined } })).not.toContain('formFaults')
})

/** The title and the lines of the summary of what is wrong. */
function summaryOf(text: string) {
  const [, title, lines = ''] =
    /role="alert" tabindex="-1" autofocus><h2>(.*?)<\/h2>(?:<ul>(.*?)<\/ul>)?/.exec(text) ?? []
  const [head, ...items] = [title, ...lines.split('<li>').slice(1)].map((one) =>
    one?.replaceAll(/<\/?(?:bdi|li)>/g, ''),
  )
  return { title: head, items }
}

test('above the form each fault says the same as beside its field, and leads there', () => {
  const errors = { card: 'expired', bank: 'chooseBank', code: 'invalid', terms: 'tickThem' }
  const one = form({ errors })
  const radios = {
    name: 'bank',
    label: 'Bank',
    choices: ['a', 'b'].map((value) => ({ value, label: value })),
  }
  const parts = [
    one.field(code),
    one.radios(radios),
    one.checkbox({ name: 'terms', label: 'Terms' }),
    one.hosted({ name: 'card', label: 'Card' }),
  ]
  const text = String(one.whole({ button: 'pay', parts }))
  // Words that fit every field come with its label.
  expect(summaryOf(text)).toEqual({
    title: 'formFaults',
    items: [
      '<a href="#code">Code: invalid</a>',
      '<a href="#bank">chooseBank</a>',
      '<a href="#terms">tickThem</a>',
      '<a href="#card">expired</a>',
    ],
  })
  for (const [name, words] of Object.entries(errors)) {
    expect(text).toContain(`id="${name}-error"><bdi>${words}</bdi><`)
    expect(text.match(new RegExp(` id="${name}"`, 'g'))).toHaveLength(1)
  }
  // The summary gets the focus, and no field takes it away.
  expect(text.match(/autofocus/g)).toHaveLength(1)
})

test('what is required is said as it is done: filled in, chosen or ticked', () => {
  const one = form({ errors: { code: 'required', bank: 'required', terms: 'required' } })
  const choices = [{ value: 'a', label: 'a' }]
  const parts = [
    one.field(code),
    one.radios({ name: 'bank', label: 'Bank', choices }),
    one.checkbox({ name: 'terms', label: 'Terms' }),
  ]
  const text = String(one.whole({ button: 'pay', parts }))
  expect(summaryOf(text).items).toEqual([
    '<a href="#code">Code: required</a>',
    '<a href="#bank">Bank: requiredChoice</a>',
    '<a href="#terms">Terms: requiredBox</a>',
  ])
  expect(text).toContain('id="bank-error"><bdi>requiredChoice</bdi><')
})

test('a fault of no field is about the whole form, and is the title of what is wrong', () => {
  expect(summaryOf(whole({ errors: { pan: 'declined' } }))).toEqual({ title: 'declined', items: [] })
  const one = form({ errors: { pan: 'declined', code: 'wrong' } })
  const parts = [one.field(code)]
  const all = { title: 'declined', items: ['<a href="#code">wrong</a>'] }
  expect(summaryOf(String(one.whole({ button: 'pay', parts })))).toEqual(all)
})

test('a form without a state is empty', () => {
  for (const state of [undefined, null, {}, { values: null, errors: null }])
    expect(String(form(state).field(code))).not.toMatch(/value=|error/)
})

test('a field is filled with what was entered, whatever its name', () => {
  expect(String(form({ values: {} }).field({ name: 'constructor', label: 'x' }))).not.toMatch(/value=|error/)
  expect(String(form({ values: { code: '12' } }).field(code))).toContain('value="12"')
})

test('a kind that there is not, and a text without a label, are refused by name', () => {
  const refused = (field: object) => () => form().field(field as Field)
  expect(refused({ name: 'code', kind: 'colour' })).toThrow(
    'form.field("code"): kind must be one of text, name',
  )
  expect(refused({ name: 'code', kind: 'constructor' })).toThrow('kind must be one of')
  expect(refused({ name: 'code' })).toThrow('form.field("code"): a field of kind text needs a label')
  // @ts-expect-error a text needs a label
  expect(() => form().field({ name: 'code' })).toThrow('needs a label')
  expect(String(form().field({ name: 'email', kind: 'email' }))).toContain('>email<')
})
