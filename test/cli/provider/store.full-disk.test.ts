import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cleanEnv, node } from '../../journey/project.ts'
import { folderWith, main, providerSource } from '../command.ts'
import { doctorResults, found } from '../doctor/found.ts'

/** Runs a script of the shell in which `data` is a disk of 2 MB, seen by nobody else. */
function onSmallDisk(cwd: string, script: string) {
  const args = ['-rm', 'sh', '-c', `mount -t tmpfs -o size=2m tmpfs data && ${script}`]
  spawnSync('unshare', args, { cwd, env: cleanEnv({ PURVEYOR: `${node} ${main}` }) })
}

/** Users of a container, for one, may not make disks. */
const maySeparate = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0

describe.runIf(maySeparate)('a disk that is full while no provider runs', () => {
  const cwd = folderWith({ 'provider.ts': providerSource(), 'data/.keep': '' })
  const script = `$PURVEYOR db migrate > migrated.txt
cp data/purveyor.db before.db
dd if=/dev/zero of=data/filler bs=1k 2> /dev/null
$PURVEYOR payments list 2> list.txt; echo $? > list.code
$PURVEYOR shop list 2> shops.txt
$PURVEYOR doctor --json > doctor.json 2> doctor.txt; echo $? > doctor.code
cmp data/purveyor.db before.db && echo same > same.txt
rm data/filler
$PURVEYOR payments list > healed.txt`
  onSmallDisk(cwd, script)
  const text = (file: string) => readFileSync(join(cwd, file), 'utf8')

  test('is named by commands, with the code, the free space and the remedy, and heals by itself', () => {
    for (const file of ['list.txt', 'shops.txt']) {
      expect(text(file)).toMatch(
        /its disk is full \(SQLITE_\w+, ENOSPC\): \d+ bytes? (?:is|are) free in .*data\. Free some space/,
      )
      expect(text(file)).toContain('purveyor explain STORE_UNAVAILABLE')
    }
    expect(text('list.code')).toBe('3\n')
    expect(text('same.txt')).toBe('same\n')
    expect(text('healed.txt')).toBe('No payments found.\n')
  })

  test('doctor names it, and runs every check that needs no store', () => {
    expect([text('doctor.txt'), text('doctor.code')]).toEqual(['', '1\n'])
    const { results, of } = doctorResults(text('doctor.json'))
    expect(of('store')).toMatchObject(found('fail', 'ENOSPC'))
    expect(of('disk')).toMatchObject(found('fail', /full: \d+ bytes? /))
    for (const name of ['mode', 'secret', 'payment status', 'privacy'])
      expect(of(name)?.verdict, name).toMatch(/^(ok|warn)$/)
    for (const name of ['lanes', 'pushes', 'dead letters', 'anomalies'])
      expect(of(name), name).toMatchObject({ verdict: 'skipped', says: 'The store does not open' })
    expect(results.filter(({ says }) => says.includes('failed to run'))).toEqual([])
  })
})
