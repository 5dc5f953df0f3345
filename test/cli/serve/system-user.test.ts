import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { isAuthor } from '../../../src/audit.ts'
import { systemUser } from '../../../src/cli/serve/system-user.ts'

const user = vi.spyOn(os, 'userInfo')
syncBuiltinESMExports()
afterEach(() => user.mockReset())
afterAll(() => {
  user.mockRestore()
  syncBuiltinESMExports()
})

const named = (username: string) => user.mockReturnValue({ username } as never)

test('a command is signed with the system user, and with who called sudo', () => {
  named('alice')
  expect(systemUser({})).toBe('alice')
  expect(systemUser({ SUDO_USER: 'alice' })).toBe('alice')
  named('root')
  expect(systemUser({ SUDO_USER: 'alice' })).toBe('root (sudo by alice)')
  named('Zoë van Dam')
  expect(systemUser({})).toBe('Zoë van Dam')
})

test('a user without a name is signed by its id, as in containers', () => {
  user.mockImplementation(() => {
    throw Object.assign(new Error('uv_os_get_passwd returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' })
  })
  expect(systemUser({})).toBe(`uid ${process.getuid!()}`)
})

test.each(['', 'a\nb', '\u001b[2J', 'a\u202eb', ') removed', 'x'.repeat(300)])(
  'a name that is none is not taken from the environment: %j',
  (name) => {
    named('root')
    expect(systemUser({ SUDO_USER: name })).toBe('root')
    named(name)
    expect(isAuthor(systemUser({ SUDO_USER: name }))).toBe(true)
    expect(systemUser({ SUDO_USER: name })).toBe(`uid ${process.getuid!()}`)
  },
)
