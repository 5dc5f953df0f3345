import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../folder.ts'
import { node, repository } from '../../journey/project.ts'

test('a file that the provider imports at each call is noted once', () => {
  const cwd = folderWith({
    'provider.mjs': 'export default { listen: (at) => import("./zone.mjs?" + at) }',
    'zone.mjs': 'export const zone = 1',
    'program.mjs': `import { loadProvider } from ${JSON.stringify(join(repository, 'src/cli/provider/file.ts'))}
const noted = []
const provider = await loadProvider(process.cwd() + '/provider.mjs', (file) => noted.push(file))
for (let times = 0; times < 3; times++) await provider.listen(times)
console.log(noted.map((file) => file.split('/').at(-1)).join(' '))`,
  })
  const args = ['--disable-warning=ExperimentalWarning', 'program.mjs']
  expect(execFileSync(node, args, { cwd, encoding: 'utf8' })).toBe('provider.mjs zone.mjs\n')
})
