import { expect, test } from 'vitest'
import { commandsIn, folderWith, inStore, providerSource } from '../command.ts'

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
