import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileFault } from '../src/file-fault.ts'
import { folderWith } from './folder.ts'

const folder = folderWith({ 'zones.csv': '', 'points.json': '' })
mkdirSync(join(folder, 'sheets'))

test.each<[path: string, code: string | undefined, says: string]>([
  [join(folder, 'zone.csv'), 'ENOENT', 'is not there: did you mean zones.csv?'],
  [join(folder, 'shets'), 'ENOENT', 'is not there: check the path'],
  [join(folder, 'tariff.csv'), 'ENOENT', 'is not there: check the path'],
  ['nowhere/tariff.csv', 'ENOENT', `is not there: paths begin at ${process.cwd()}, the working directory`],
  [join(folder, 'zones.csv/x.csv'), 'ENOTDIR', 'is not there: check the path'],
  [folder, 'EISDIR', 'is a folder: name a file'],
  [folder, 'EACCES', 'may not be read by this user: change its permissions, or the user'],
  [folder, 'EIO', 'cannot be read (EIO): check the path'],
  [folder, undefined, 'cannot be read (no reason given): check the path'],
])('%s with %s', (path, code, says) => {
  expect(fileFault(path, code)).toBe(says)
})

test('a folder that is wanted', () => {
  const of = (name: string, code: string) => fileFault(join(folder, name), code, { wanted: 'folder' })
  expect(of('zones.csv', 'ENOTDIR')).toBe('is a file: name a folder')
  expect(of('shets', 'ENOENT')).toBe('is not there: did you mean sheets?')
})
