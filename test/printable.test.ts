import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { duration, printable, printableJson, printableLines, shellArgument } from '../src/printable.ts'

const steering = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}]/u

describe('text of strangers', () => {
  test.each([
    ['colours and cursor moves', '\u001b[2J\u001b[31mok', '\\u001b[2J\\u001b[31mok'],
    ['a line that is written over', 'FAILED\rok    ', 'FAILED\\u000dok    '],
    ['letters that are taken back', 'no\b\byes', 'no\\u0008\\u0008yes'],
    ['a line of its own', 'x\nok  all', 'x\\u000aok  all'],
    ['the one-byte CSI, and DEL', '\u009b31m\u007f', '\\u009b31m\\u007f'],
    ['text that runs backwards', 'a\u202eb\u2066c\u200fd', 'a\\u202eb\\u2066c\\u200fd'],
    ['text that is not seen', 'pay\u200bpal\u00ad\ufeff', 'pay\\u200bpal\\u00ad\\ufeff'],
    ['fillers and selectors', 'a\u3164b\u115fc\ufe01d\u034f', 'a\\u3164b\\u115fc\\ufe01d\\u034f'],
    ['tags beyond the first plane', '\u{e0041}', '\\udb40\\udc41'],
    ['half of a pair', '\ud800', '\\ud800'],
    ['other separators', '\u2028\u2029\u0085', '\\u2028\\u2029\\u0085'],
  ])('%s', (_name, text, shown) => {
    expect(printable(text)).toBe(shown)
  })

  test('what people write stays as it is', () => {
    for (const text of ['Zoë 12,50 €', '"C:\\new"', '日本 עברית', '🚲']) expect(printable(text)).toBe(text)
    expect(printableLines('one\ntwo\u001b')).toBe('one\ntwo\\u001b')
  })

  test('any text: nothing that steers is left, and JSON keeps every value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
        expect(printable(text)).not.toMatch(steering)
        const json = printableJson({ text })
        expect(json).not.toMatch(steering)
        expect(JSON.parse(json)).toEqual({ text })
      }),
    )
  })

  test('an argument reaches a command as it is, and nothing else runs', () => {
    for (const text of ["it's", '$(exit 9) `x` \\ "', "\u001b[31m'\\n\u202e", '{"a":"\u009b"}']) {
      const argument = shellArgument(text)
      expect(argument).not.toMatch(steering)
      const env = { ...process.env, LC_ALL: 'C.UTF-8' }
      expect(execFileSync('bash', ['-c', `printf %s ${argument}`], { encoding: 'utf8', env })).toBe(text)
    }
  })
})

test.each([
  [0, '0 s'],
  [499, '0 s'],
  [59_600, '1 min'],
  [7_200_000, '2 h'],
  [7_200_000 + 59_000, '2 h'],
  [3_900_000, '1 h 5 min'],
  [86_400_000, '1 day'],
  [2 * 86_400_000 + 3 * 3_600_000 + 60_000, '2 days 3 h'],
])('%d ms are %s', (ms, words) => {
  expect(duration(ms)).toBe(words)
})
