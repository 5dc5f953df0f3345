import { expect, test } from 'vitest'
import { newShop } from '../../src/shops/shop.ts'
import { SettingsOfShops } from '../../src/shops/shop-settings.ts'

/** Counts how often settings are opened. */
function counting() {
  const opened: string[] = []
  const seal = {
    open(_sealed: string, { key }: { key: string }) {
      opened.push(key)
      return '{}'
    },
  }
  const settings = new SettingsOfShops(seal as never)
  const read = (id: string, settingsVersion = 1, sealedSettings = 'sealed') =>
    settings.of({ ...newShop(id), sealedSettings, settingsVersion })
  return { opened, read }
}

test('settings are opened once for each change, beside ten thousand other shops too', () => {
  const { opened, read } = counting()
  read('bikes')
  for (let at = 0; at < 12_000; at++) read(`shop${at}`)
  read('bikes')
  expect(opened.filter((id) => id === 'bikes')).toHaveLength(1)
  expect(opened).toHaveLength(12_001)
  read('bikes', 2)
  expect(opened.filter((id) => id === 'bikes')).toHaveLength(2)
})

test('large settings are bounded together: those used last stay', () => {
  const { opened, read } = counting()
  const large = 's'.repeat(10 * 1024 * 1024)
  for (let at = 0; at < 8; at++) read(`shop${at}`, 1, large)
  opened.length = 0
  read('shop7', 1, large)
  expect(opened).toEqual([])
  read('shop0', 1, large)
  expect(opened).toEqual(['shop0'])
})
