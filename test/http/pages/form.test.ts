import { expect, test } from 'vitest'
import { HtmlForm } from '../../../src/http/pages/form.ts'
import type { Field, FormState } from '../../../src/payments/pages/page-form.ts'

const form = (state?: unknown) => new HtmlForm((key) => key, state as FormState)
const whole = (state?: unknown) => String(form(state).whole({ button: 'pay', parts: [] }))
const code = { name: 'code', label: 'Code' }

test('an error that is not defined is none', () => {
  expect(whole({ errors: { code: undefined } })).not.toContain('formFaults')
})

test('the form says that a field is marked, and what is wrong with the whole of it', () => {
  const one = form({ errors: { code: 'invalid', pan: 'declined' } })
  const parts = [one.field(code)]
  const text = String(one.whole({ button: 'pay', parts }))
  expect(text).toContain('<p role="alert"><bdi>declined</bdi> <bdi>formFaults</bdi></p>')
  expect(text).toContain('id="code-error"><bdi>invalid</bdi><')
  expect(whole({ errors: { pan: 'declined' } })).toContain('<p role="alert"><bdi>declined</bdi></p>')
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
