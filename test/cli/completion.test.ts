import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { fileWith } from '../folder.ts'
import { commandsIn } from './command.ts'

const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

describe.concurrent('the script of a shell', () => {
  test.for(['bash', 'zsh', 'fish'])('%s asks the command what fits', async (shell) => {
    const { code, out, err } = await commandsIn()(`completion ${shell}`)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(' complete -- ')
    expect(out).toContain(':files')
    expect(out).not.toMatch(/undefined|\\u/)
    // Without running it.
    const args = [shell === 'fish' ? '--no-execute' : '-n', fileWith('script', `${out}\n`)]
    if (isInstalled(shell)) execFileSync(shell, args)
    else expect(shell).not.toBe('bash')
  })
})
