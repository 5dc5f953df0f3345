import { expect, test } from 'vitest'
import { openError, openFault } from '../../../src/store/sqlite/errors.ts'
import { StoreUnavailable } from '../../../src/store.ts'

const plenty = { folder: '/srv', bytes: 10 ** 9, files: 1_000 }
const full = { ...plenty, bytes: 0 }
const sqlite = (errcode: number) => Object.assign(new Error(), { code: 'ERR_SQLITE_ERROR', errcode })
const system = (code: string) => Object.assign(new Error(), { code })

test.each([
  ['no room for a log', sqlite(4874), full, 'SQLITE_IOERR_SHMSIZE, ENOSPC): 0 bytes are free in /srv'],
  ['no room for a file', sqlite(13), full, 'because its disk is full (SQLITE_FULL, ENOSPC): 0 bytes'],
  ['a folder that takes no file', system('ENOSPC'), full, 'because its disk is full (ENOSPC): 0 bytes'],
  ['a quota', system('EDQUOT'), plenty, 'because its disk is full (EDQUOT): 1000000000 bytes are free'],
  ['no room for another file', sqlite(14), { ...plenty, files: 0 }, 'and no further file fits on its disk'],
  ['an unknown disk', sqlite(13), undefined, 'its disk is full (SQLITE_FULL, ENOSPC). Free some space'],
  ['a disk that fails', sqlite(4874), plenty, 'cannot be opened (SQLITE_IOERR_SHMSIZE). Its disk fails'],
  ['a foreign file', system('EACCES'), full, 'cannot be opened (EACCES). Check that this user may write'],
  ['a disk that is read-only', sqlite(8), plenty, 'cannot be opened (SQLITE_READONLY). Check that this user'],
  ['no database', sqlite(26), plenty, 'cannot be opened (SQLITE_NOTADB). It is damaged'],
  ['another process', sqlite(5), plenty, 'cannot be opened (SQLITE_BUSY). Another process holds it'],
  ['a folder', system('EISDIR'), plenty, 'cannot be opened (EISDIR). It is a folder: name a file in it.'],
  ['a file in its path', system('EEXIST'), plenty, 'cannot be opened (EEXIST). A part of its path is a file'],
  ['too many files', system('EMFILE'), plenty, 'cannot be opened (EMFILE). Too many files are open'],
  ['whatever else', new Error('x'), plenty, 'cannot be opened. Check that its folder can be written to'],
])('what keeps a file from being opened is named with the remedy: %s', (_what, cause, room, words) => {
  expect(openFault('a.db', cause, room)).toContain(words)
})

test('a fault of the store that says what to do already stays', () => {
  const newer = new StoreUnavailable('It is newer.', { cause: new Error() })
  expect(openError('a.db', newer)).toBe(newer)
  const inside = new StoreUnavailable('It cannot be used now.', { cause: sqlite(26) })
  expect(openError('a.db', inside).message).toContain('SQLITE_NOTADB')
})
