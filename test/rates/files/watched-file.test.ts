import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { PurveyorError } from '../../../src/errors/errors.ts'
import { WatchedFile } from '../../../src/rates/files/watched-file.ts'
import { tableRates } from '../../../src/rates/index.ts'
import { folderWith } from '../../folder.ts'
import { sized } from '../../long.ts'
import { asking, preparing } from '../adapters/quote.ts'

const folder = folderWith()

let files = 0
const newFile = (text: string): string => {
  const file = join(folder, `tariff-${++files}.csv`)
  writeFileSync(file, text)
  return file
}

const header = 'id,title,country,price_excl\n'
const priced = (price: string) => `${header}door,Door,nl,${price}\n`

/** A tariff of one price, and the log of its looks. */
function changing(file = newFile(priced('5'))) {
  const adapter = tableRates({ file, taxRate: 0 })
  const { rates, lines, ctx } = asking(adapter)
  return {
    file,
    rates,
    lines,
    list: () => adapter.files!.list(),
    look: () => adapter.files!.look(ctx),
    /** Puts other content in the place of the file, as an editor or a deployment does. */
    replace(text: string) {
      writeFileSync(`${file}.new`, text)
      renameSync(`${file}.new`, file)
    },
  }
}

test('a changed file is in use after two looks, without a quote', async () => {
  const { rates, look, replace, lines } = changing()
  expect(await rates()).toEqual(['door 5.00'])
  replace(priced('6'))
  await look()
  expect(await rates()).toEqual(['door 5.00'])
  await look()
  expect(await rates()).toEqual(['door 6.00'])
  expect(lines.map(({ message }) => message)).toEqual(['the changed file is in use'])
})

test('a file that is still being written is not used, although what is there of it is a price', async () => {
  const { file, rates, look } = changing()
  await rates()
  writeFileSync(file, `${header}door,Door,nl,1`)
  for (const part of ['2', '.', '5']) {
    await look()
    expect(await rates()).toEqual(['door 5.00'])
    appendFileSync(file, part)
  }
  appendFileSync(file, '0\n')
  await look()
  expect(await rates()).toEqual(['door 5.00'])
  await look()
  expect(await rates()).toEqual(['door 12.50'])
})

test('a fault is logged with its place, and the content before stays in use until a change without one', async () => {
  const { rates, look, replace, lines, list, file } = changing()
  await rates()
  replace(`${header}door,Door,nl,"6,50"\n`)
  for (let looks = 0; looks < 5; looks++) await look()
  expect(await rates()).toEqual(['door 5.00'])
  const message = expect.stringContaining(':2 price_excl: 6,50 has a comma: write 6.50')
  expect(list()).toEqual([{ file, size: 1, version: expect.any(String), fault: { since: 1, message } }])
  // Once, however often it is looked at.
  expect(lines.map(({ level, fields }) => [level, fields.fault])).toEqual([['error', message]])
  replace(priced('7'))
  await look()
  await look()
  expect(await rates()).toEqual(['door 7.00'])
  expect(list()).toEqual([{ file, size: 1, version: expect.any(String), fault: undefined }])
})

test('a file that is gone for a moment is no fault, and one that stays away is', async () => {
  const { file, rates, look, list } = changing()
  await rates()
  rmSync(file)
  await look()
  expect(list()[0]!.fault).toBeUndefined()
  await look()
  expect(list()[0]!.fault!.message).toContain(`tableRates(): file ${file} is not there: `)
  expect(await rates()).toEqual(['door 5.00'])
  writeFileSync(file, priced('8'))
  await look()
  await look()
  expect(await rates()).toEqual(['door 8.00'])
})

const tariff = { code: 'RATE_TABLE_INVALID', option: 'tableRates()' } as const
const kind = { ...tariff, sizeOf: () => 1 }

test('a file that changes while it is read is read again', async () => {
  const file = newFile('1')
  let reads = 0
  const watched = new WatchedFile(file, {
    ...kind,
    async read(handle) {
      const text = await handle.readFile('utf8')
      if (++reads < 3) appendFileSync(file, 'x')
      return text
    },
  })
  expect(await watched.load()).toBe('1xx')
  expect(reads).toBe(3)
})

/** A file that counts how often it is read, and is faulty while it says so. */
function counting(text: string) {
  const file = newFile(text)
  const counts = { reads: 0 }
  const watched = new WatchedFile(file, {
    ...kind,
    async read(handle) {
      counts.reads++
      const content = await handle.readFile('utf8')
      if (content.startsWith('faulty')) throw new PurveyorError('RATE_TABLE_INVALID', content)
      return content
    },
  })
  return { file, watched, counts }
}

const looking = () => ({ now: () => 7, log: preparing.log, adapter: 'a' })

test('a file that was never without a fault is read once, shows its fault, and is in use two looks after it is corrected', async () => {
  const { file, watched, counts } = counting('faulty')
  for (let quotes = 0; quotes < 3; quotes++) {
    await expect(watched.load(() => 3)).rejects.toThrow('faulty')
    expect(await watched.look('table', looking())).toBe(false)
  }
  expect(counts.reads).toBe(1)
  expect(watched.state).toEqual({ file, size: 0, fault: { since: 3, message: 'faulty' } })
  writeFileSync(file, 'right')
  await watched.look('table', looking())
  await expect(watched.load()).rejects.toThrow('faulty')
  expect(await watched.look('table', looking())).toBe(true)
  expect([watched.content, watched.state.fault]).toEqual(['right', undefined])
})

test.each([
  ['EACCES', 'once its permissions change', (file: string) => chmodSync(file, 0o640)],
  ['EMFILE', 'as soon as it can be read', () => {}],
])('a changed file that fails with %s is in use %s', async (code, _, repair) => {
  const file = newFile('old')
  const state = { fails: false, errors: 0 }
  const watched = new WatchedFile(file, {
    ...kind,
    async read(handle) {
      if (state.fails) throw Object.assign(new Error('no'), { code })
      return handle.readFile('utf8')
    },
  })
  const log = { ...preparing.log, error: () => void state.errors++ }
  const look = () => watched.look('table', { ...looking(), log })
  await watched.load()
  state.fails = true
  writeFileSync(file, 'newer')
  for (let looks = 0; looks < 4; looks++) await look()
  expect([watched.content, watched.state.fault?.since, state.errors]).toEqual(['old', 7, 1])
  state.fails = false
  // Times of files are those of the last tick of the clock.
  await wait(20)
  repair(file)
  for (let looks = 0; looks < 2; looks++) await look()
  expect([watched.content, watched.state.fault]).toEqual(['newer', undefined])
})

test('a missing file whose name is nearly that of one beside it is shown with that one', async () => {
  const { file, watched } = counting('right')
  renameSync(file, file.replace(/(.)(\.\w+)$/, '$2'))
  await expect(watched.load()).rejects.toThrow(/is not there: did you mean [\w.-]+\?$/)
})

test('a missing file is looked for again', async () => {
  const { file, watched } = counting('right')
  rmSync(file)
  await expect(watched.load()).rejects.toThrow(`tableRates(): file ${file} is not there: `)
  expect(watched.state.fault!.message).toContain('is not there')
  writeFileSync(file, 'right')
  await watched.look('table', looking())
  expect(await watched.look('table', looking())).toBe(true)
})

test('a file outside of its folder is not read: neither by its path nor by a link', async () => {
  const inside = join(folder, 'inside')
  await mkdir(inside)
  const secret = newFile('root:x:0:0')
  symlinkSync(secret, join(inside, 'link.csv'))
  writeFileSync(join(inside, 'own.csv'), priced('5'))
  const rates = (file: string) =>
    asking(tableRates({ file: () => join(inside, file), folder: inside, taxRate: 0 })).rates()
  expect(await rates('own.csv')).toEqual(['door 5.00'])
  expect(await rates('../inside/own.csv')).toEqual(['door 5.00'])
  const outside = /lies outside of the folder .*inside: put it there, or set the option folder$/
  await expect(rates(`../${secret.slice(folder.length + 1)}`)).rejects.toThrow(outside)
  await expect(rates('link.csv')).rejects.toThrow(outside)
  await expect(rates('../inside-too/x.csv')).rejects.toThrow(outside)
  const anywhere = asking(tableRates({ file: () => secret, taxRate: 0 })).rates()
  await expect(anywhere).rejects.toThrow('lies outside of the working directory')
})

test('a file that is not a tariff is not repeated in the error', async () => {
  const file = newFile('root:x:0:0:root:/root:/bin/sh,hunter2\ndaemon:x:1:1\n')
  const asked = asking(tableRates({ file, taxRate: 0 })).rates()
  const { message } = (await asked.catch((one: Error) => one)) as Error
  expect(message).toContain('is not a tariff: its first line names no column')
  expect(message).not.toMatch(/root|hunter2/)
})

test('a file that is too large, or a pipe, is refused before it is read', async () => {
  const { file, watched, counts } = counting('')
  truncateSync(file, 65 * 1024 * 1024)
  await expect(watched.load()).rejects.toThrow('is larger than 64 MB: divide it')
  expect(counts.reads).toBe(0)
  const pipe = join(folder, 'pipe.csv')
  execFileSync('mkfifo', [pipe])
  const piped = asking(tableRates({ file: pipe, taxRate: 0 })).rates()
  await expect(piped).rejects.toThrow('is a pipe or a device: name a file')
})

test('a folder is no file', async () => {
  await mkdir(join(folder, 'sub'))
  const read = asking(tableRates({ file: join(folder, 'sub'), taxRate: 0 })).rates()
  await expect(read).rejects.toBeInstanceOf(PurveyorError)
  await expect(read).rejects.toThrow('is a folder: name a file')
})

test('a file that is replaced again and again under load: never half of one, and the last one at the end', async () => {
  // Each has as many lines as its price has cents, so that a part of it shows.
  const content = (round: number) => {
    const lines = Array.from({ length: 20 + (round % 30) }, (_, at) => `m${at},Method,nl,${round}.00`)
    return `${header}${lines.join('\n')}\n`
  }
  const { file, look, rates } = changing(newFile(content(1)))
  await rates()
  const rounds = sized(200, 1_000)
  let done = false
  const writing = (async () => {
    for (let round = 2; round <= rounds; round++) {
      await writeFile(`${file}.new`, content(round))
      await rename(`${file}.new`, file)
    }
    done = true
  })()
  while (!done) {
    await look()
    const methods = await rates()
    const prices = new Set(methods.map((method) => Number(method.split(' ')[1])))
    expect(prices.size).toBe(1)
    const [round = 0] = prices
    expect(methods).toHaveLength(20 + (round % 30))
  }
  await writing
  await look()
  await look()
  expect((await rates())[0]).toBe(`m0 ${rounds}.00`)
})
