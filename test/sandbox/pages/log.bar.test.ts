import { expect, test } from 'vitest'
import { shopWith } from '../provider.ts'

test('a call in the log has its time and its limit, and a quick answer is seen in the bar', async () => {
  const { sandbox } = await shopWith()
  await sandbox.estimate({ zipcode: '1012LG', country: 'nl' })
  const text = await (await fetch(`${sandbox.url}/log`)).text()
  const [, took, share, limit] =
    /data-label="Took">([\d,]+) ms<[\s\S]*?class="f-g" width="([\d.]+)"[\s\S]*?of ([\d,]+) ms</.exec(text) ??
    []
  expect(Number(took?.replaceAll(',', ''))).toBeGreaterThanOrEqual(0)
  expect(Number(share)).toBeGreaterThanOrEqual(3)
  expect(limit).toBe('60,000')
  expect(text).toContain('times in UTC')
})
