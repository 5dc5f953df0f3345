import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith, purveyor } from './command.ts'

const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

describe.concurrent('the script of a shell', () => {
  test.for(['bash', 'zsh', 'fish'])('%s asks the command what fits', async (shell) => {
    const { code, stdout, stderr } = await purveyor(['completion', shell])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(' complete -- ')
    expect(stdout).toContain(':files')
    expect(stdout).not.toMatch(/undefined|\\u/)
    // Without running it.
    if (isInstalled(shell)) {
      const file = join(folderWith({ script: stdout }), 'script')
      execFileSync(shell, [shell === 'fish' ? '--no-execute' : '-n', file])
    } else expect(shell).not.toBe('bash')
  })
})
