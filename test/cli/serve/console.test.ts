import { expect, test } from 'vitest'
import { commandsIn, folderWith, inStore, production, providerSource } from '../command.ts'

test('console sign-out says when nobody has signed in under that name', async () => {
  const cwd = folderWith({ 'provider.ts': providerSource() })
  const run = commandsIn(cwd)
  await inStore(cwd, (store) =>
    store.noteAudit('', { at: Date.now(), by: 'mila' }, { action: 'console.signed_in', role: 'support' }),
  )
  expect(await run.out('console sign-out --name mila')).toContain('mila is signed out.')
  expect(await run.out('console sign-out --name milla')).toContain('Nobody has signed in as milla.')
  expect(await run.json('console sign-out --name milla')).toEqual({ signedOut: 'milla', known: false })
})

test('whoever has another secret than the store lets nobody in and signs nobody out', async () => {
  const cwd = folderWith({ 'provider.ts': providerSource() })
  const link = 'console link --name eve --role admin --url https://console.example.com'
  const run = commandsIn(cwd, production)
  expect(await run.out(link)).toContain('https://console.example.com/console/link/')
  const other = commandsIn(cwd, { ...production, PURVEYOR_SECRET: 'another secret of 32 characters.' })
  for (const line of [link, 'console sign-out --name eve']) {
    const { code, out, err } = await other(line)
    expect([code, out, err]).toEqual([3, '', expect.stringContaining('PURVEYOR_SECRET')])
  }
})
