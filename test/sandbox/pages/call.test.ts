import { expect, test } from 'vitest'
import { shopWith } from '../provider.ts'

test('a call in the log has its time before the bar and the limit behind it, and a quick answer is seen in the bar', async () => {
  const { sandbox } = await shopWith()
  await sandbox.estimate({ zipcode: '1012LG', country: 'nl' })
  const text = await (await fetch(`${sandbox.url}/log`)).text()
  const [, took, share, limit] =
    /<span class="took">([\d,]+)<\/span><svg[\s\S]*?class="done \w*" width="([\d.]+)"[\s\S]*?<span>of ([\d,]+) ms<\/span>/.exec(
      text,
    ) ?? []
  expect(Number(took)).toBeGreaterThanOrEqual(0)
  expect(Number(share)).toBeGreaterThanOrEqual(3)
  expect(limit).toBe('60,000')
  expect(text).toContain('Times are in UTC.')
})
