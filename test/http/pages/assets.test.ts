import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PageAssets } from '../../../src/http/pages/assets.ts'
import { pagePolicy } from '../../../src/http/pages/policy.ts'
import { fileWith, folderWith } from '../../folder.ts'

test('links are followed within the folder, as in a mounted volume, and not out of it', () => {
  const mounted = folderWith({ '..2026/pay.js': 'void 0' })
  symlinkSync('..2026', join(mounted, '..data'))
  symlinkSync(join('..data', 'pay.js'), join(mounted, 'pay.js'))
  expect(new PageAssets(mounted).servedName('pay.js')).toMatch(/^pay\.[\da-f]{16}\.js$/)
  symlinkSync(fileWith('secret.js', 'secret'), join(mounted, 'other.js'))
  expect(() => new PageAssets(mounted)).toThrow('holds other.js, a link that leads out of the folder')
})

test('fonts of its own load where there are any', () => {
  const fonts = folderWith()
  expect(new PageAssets(fonts).hasFonts).toBe(false)
  writeFileSync(join(fonts, 'own.woff2'), 'font')
  expect(new PageAssets(fonts).hasFonts).toBe(true)
  const policyWith = (font: boolean) =>
    pagePolicy({ style: 'sha256-a', assets: { script: false, style: true, font } })['Content-Security-Policy']
  expect([policyWith(true), policyWith(false)]).toEqual([
    expect.stringContaining("font-src 'self';"),
    expect.not.stringContaining('font-src'),
  ])
})
