import { expect, test } from 'vitest'
import { inLanguage } from '../../src/adapters/offered-methods.ts'

test.each<[string, unknown, unknown]>([
  ['the language', { en: 'Collect', nl: 'Afhalen' }, 'Afhalen'],
  ['English without it', { de: 'Abholen', en: 'Collect' }, 'Collect'],
  ['the first without both', { de: 'Abholen', fr: 'Retrait' }, 'Abholen'],
  ['nothing of no texts', {}, undefined],
  ['what is one text for everybody', 'Collect', 'Collect'],
  ['what is no text, as it is', 7, 7],
  ['null, as it is', null, null],
  ['nothing, as it is', undefined, undefined],
])('a text in Dutch is %s', (_what, text, said) => {
  expect(inLanguage(text, 'nl')).toBe(said)
})

test('no language is a name that every object has', () => {
  expect(inLanguage({ fr: 'Retrait' }, 'constructor')).toBe('Retrait')
})
