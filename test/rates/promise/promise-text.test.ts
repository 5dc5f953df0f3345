import { expect, test } from 'vitest'
import { PromiseTexts } from '../../../src/rates/promise/promise-text.ts'

const days = {
  today: '2026-11-23',
  sent: '2026-11-23',
  from: '2026-11-24',
  to: '2026-11-26',
  cutOff: 545,
  orderedBefore: 0,
}
const texts = new PromiseTexts()

test('words that count from today end with it', () => {
  expect(texts.write(days)).toMatchObject({
    text: { en: 'Ordered before 09:05: tomorrow to Thursday 26 November' },
    ofToday: true,
  })
  const later = { ...days, sent: '2026-11-25', from: '2026-11-26' }
  expect(texts.write(later)).toMatchObject({ text: { en: 'Thursday 26 November' }, ofToday: false })
})

test('words of a language replace ours, and capitals are those of the language', () => {
  const own = { tr: { before: '{when} ({time})', window: '{from}-{to}', today: 'bugün', tomorrow: 'izle' } }
  const { text } = texts.write({ ...days, sent: '2026-11-24', to: '2026-11-24' }, own)
  expect(text).toMatchObject({ tr: 'İzle', en: 'Tomorrow' })
})
