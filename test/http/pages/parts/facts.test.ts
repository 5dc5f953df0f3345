import { expect, test } from 'vitest'
import { json } from '../../../../src/http/pages/parts/facts.ts'

const shown = (text: string) => /<pre tabindex="0">(.*)<\/pre>/s.exec(String(json(text)))![1]!

test('JSON has the colours of its names, texts and other values, and no text of it becomes a tag', () => {
  const text = shown('{"a \\"b\\": 1":"<i>: \\\\","n":[1,-2.5,1e30,true,null]}')
  expect(text.match(/<span class="\w">[^<]*<\/span>/g)).toEqual([
    '<span class="k">&quot;a \\&quot;b\\&quot;: 1&quot;</span>',
    '<span class="s">&quot;&lt;i&gt;: \\\\&quot;</span>',
    '<span class="k">&quot;n&quot;</span>',
    ...['1', '-2.5', '1e+30', 'true', 'null'].map((value) => `<span class="n">${value}</span>`),
  ])
  expect(text.replaceAll(/<\/?span[^>]*>/g, '')).toContain('\n  &quot;n&quot;: [\n    1,\n    -2.5,')
})

test('text that is no JSON stays as it is', () => {
  expect(shown('<html>1 true "x"')).toBe('&lt;html&gt;1 true &quot;x&quot;')
})
