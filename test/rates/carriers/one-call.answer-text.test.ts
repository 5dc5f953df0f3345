import { expect, test } from 'vitest'
import { answerText } from '../../../src/rates/carriers/one-call.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')

test.each<[string, Buffer, string | null, string]>([
  ['no charset', Buffer.from('Zürich'), 'application/json', 'Zürich'],
  ['no type', Buffer.from('Zürich'), null, 'Zürich'],
  ['Latin 1', latin('Zürich'), 'application/json; charset=iso-8859-1', 'Zürich'],
  ['a quoted name', latin('Zürich'), 'text/plain;charset="ISO-8859-1"', 'Zürich'],
  ['UTF-8 under the name of Latin 1', Buffer.from('Zürich'), 'application/json;charset=ISO-8859-1', 'Zürich'],
  ['UTF-16', Buffer.from('Zürich', 'utf16le'), 'text/plain; charset=utf-16le', 'Zürich'],
  [
    'the first line of XML',
    latin('<?xml version="1.0" encoding="ISO-8859-1"?><a>Zürich</a>'),
    'text/xml',
    '<?xml version="1.0" encoding="ISO-8859-1"?><a>Zürich</a>',
  ],
  ['nothing', Buffer.alloc(0), 'application/json; charset=utf-8', ''],
])('an answer is read in its own charset: %s', (_, bytes, type, text) => {
  expect(answerText(bytes, type)).toMatchObject({ text })
})

test.each<[Buffer, string | null, string]>([
  [latin('Zürich'), null, 'is not in UTF-8, and names no charset'],
  [latin('Zürich'), 'application/json; charset=utf-8', 'is not in utf-8, as it says'],
  [Buffer.from('Zürich'), 'application/json; charset=klingon', 'is in klingon, which is unknown'],
  [Buffer.from('a'), 'application/json; charset=<b>', 'is in a charset, which is unknown'],
])('what cannot be read in full is a fault: %o %s', (bytes, type, fault) => {
  expect(answerText(bytes, type)).toEqual({ fault })
})
