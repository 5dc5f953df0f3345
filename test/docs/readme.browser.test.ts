import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { markdown } from '../../.ci/docs/page.ts'
import { repository } from '../journey/project.ts'
import { visitor } from '../visitor.ts'
import { pageAt } from './pages.ts'

/** The sizes in which code hosts show a README. */
const style = `body { margin: 0 auto; padding: 32px; max-width: 1012px; font: 16px/1.5 sans-serif }
  h1 { margin: 0 0 16px; padding-bottom: 10px; font-size: 32px; line-height: 1.25 }
  h2 { margin: 24px 0 16px; padding-bottom: 8px; font-size: 24px; line-height: 1.25 }
  p, pre { margin: 0 0 16px }
  pre { padding: 16px; font: 13.6px/1.45 monospace }`

test('the first screen of README has code, and the commands that start and test it', async () => {
  const readme = pageAt('README.md')
  const [code, commands] = readme.blocks
  expect([code!.language, code!.line <= 10]).toEqual(['ts', true])
  expect(commands!.code).toMatch(/^npm start .*\nnpm test .*\n$/)
  expect(commands!.line).toBeLessThan(60)
  expect(readFileSync(join(repository, '.ci/run'), 'utf8')).toMatch(/^npm test$/m)

  const { page } = await visitor({ viewport: { width: 1280, height: 800 } })
  await page.setContent(`<style>${style}</style>${markdown.render(readme.text)}`)
  const { y, height } = (await page.locator('pre').nth(1).boundingBox())!
  expect(y + height).toBeLessThanOrEqual(800)
})
