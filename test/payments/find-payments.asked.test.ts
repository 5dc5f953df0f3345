import { expect, test } from 'vitest'
import { attemptChecks } from '../../src/payments/check-attempts.ts'
import { askedWords, servicesAsked } from '../../src/payments/find-payments.ts'
import type { PaymentReport } from '../../src/payments/ledger/report.ts'
import { time } from '../../src/printable.ts'
import { minute, paymentsWith } from '../helpers/provider.ts'

/** A payment whose service answers when the test says so. */
async function hanging() {
  let answer: (() => void) | undefined
  const { workings, start, stored, move, world, settle } = paymentsWith({
    status: () => new Promise<PaymentReport>((resolve) => (answer = () => resolve({ status: 'pending' }))),
  })
  await start()
  const words = async () => {
    const [asked] = await servicesAsked(workings.store, await stored(), world.now())
    return askedWords(asked!)
  }
  const checks = attemptChecks(workings)
  return { world, move, words, checks, settle, workings, stored, answer: () => answer!() }
}

test('while a check is under way, the words say since when, and no time that is only the end of its lease', async () => {
  const { world, move, words, checks, settle, answer, workings, stored } = await hanging()
  expect(await words()).toBe(`not asked yet; next ${time(world.now() + minute)}`)
  await move(2 * minute)
  const began = world.now()
  await checks.wake()
  await settle()
  expect(await words()).toBe(`not asked yet; check under way since ${time(began)}`)
  const [asked] = await servicesAsked(workings.store, await stored(), world.now())
  expect(asked).toMatchObject({ underWaySince: began, nextAt: undefined })
  answer()
  await checks.idle()
  const opened = (await stored()).attempts[0]!.openedAt
  expect(await words()).toBe(`asked ${time(world.now())}: pending; next ${time(opened + 5 * minute)}`)
})

test('a check that is not over after a minute may have died with its process, and is taken over', async () => {
  const { world, stored, workings } = await hanging()
  const at = world.now() + 2 * minute
  await workings.store.claimChecks({ now: at, leaseUntil: at + 5 * minute, limit: 1 })
  const later = async (now: number) => {
    const [asked] = await servicesAsked(workings.store, await stored(), now)
    return askedWords(asked!)
  }
  expect(await later(at + minute)).toBe(`not asked yet; check under way since ${time(at)}`)
  expect(await later(at + minute + 1)).toBe(
    `not asked yet; check under way since ${time(at)}; if its process has died, another one asks ${time(at + 5 * minute)}`,
  )
  expect(await later(at + 5 * minute)).toBe(`not asked yet; next ${time(at + 5 * minute)}`)
  // A claim whose lease is of another length says nothing about when it began.
  const { id } = (await stored()).attempts[0]!
  await workings.store.claimChecks({ now: at + 5 * minute, leaseUntil: at + 9 * minute, limit: 1 })
  expect(await later(at + 6 * minute)).toBe(`not asked yet; next ${time(at + 9 * minute)}`)
  await workings.store.setCheck('default', id, undefined)
  expect(await servicesAsked(workings.store, await stored(), at)).toEqual([])
})
