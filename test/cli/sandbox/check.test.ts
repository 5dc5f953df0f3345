import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atEnd } from '../../at-end.ts'
import { faultyProviders } from '../../conformance/faulty-providers.ts'
import { type Change, plainProvider } from '../../conformance/plain-provider.ts'
import { commandsIn, folderWith, onTerminal, printing, running, saying } from '../command.ts'

const run = commandsIn()

async function endpointOf(change?: Change): Promise<string> {
  const { endpoint, close } = await plainProvider(...(change ? [change] : []))
  atEnd(close)
  return endpoint
}

const ofCase = (name: string) => faultyProviders.find((one) => one.case === name)!.change

describe.concurrent('check', () => {
  test('says what it will do, goes through the cases, and ends well', async () => {
    const { code, out, err } = await run('check', await endpointOf())
    expect(code).toBe(0)
    expect(err).toBe('')
    expect(out).toMatch(/^\d+ cases about rates and payments\. It starts payments [^\n]*--read-only/)
    expect(out).toMatch(
      /\n\nskipped payment-methods-icon-size: .*\nskipped tls: .*\nskipped 2 cases: The endpoint has no TLS\n/,
    )
    expect(out).toMatch(/\n\n\d+ cases about rates and payments: \d+ passed, 0 failed, 0 advice, 4 skipped$/)
    expect(out).not.toContain('shipment-methods-status')
  })

  test('--verbose prints every case', async () => {
    const line = `check ${await endpointOf()} --verbose --case shipment-methods-status tls`
    expect(await run.out(line)).toBe(`2 cases about rates and payments. It starts no payments.

ok      A request for methods is answered with 201 (shipment-methods-status, spec 4.3)
skipped tls: The endpoint is on this machine, where http is fine

2 cases about rates and payments: 1 passed, 0 failed, 0 advice, 1 skipped`)
  })

  test('on a terminal a line counts the cases, also beside --json, and is gone at the end', async () => {
    const slow: Change = (parts) => ({
      async shipmentMethods(body) {
        if (body.quote.weight > 1_000_000) await new Promise((resolve) => setTimeout(resolve, 1_500))
        return parts.shipmentMethods(body)
      },
    })
    const shown = await onTerminal(`check ${await endpointOf(slow)} --only rates`, [])
    const drawn = shown.split('\r\u001b[K').filter((part) => part.startsWith('Checking'))
    expect(drawn.join('\n')).toMatch(/^Checking: \d+ of \d+, 0 failed/m)
    expect(shown).toMatch(/skipped tls: .*\r\n/)
    expect(shown.split('\u001b[K').at(-1)).not.toContain('Checking')
  })

  test('orders that cannot be cancelled are named', async () => {
    const noButtons: Change = (parts) => ({
      page: (payment) => ({ ...parts.page(payment), body: '<!doctype html><p>Transfer it.' }),
    })
    const out = await run.out(`check ${await endpointOf(noButtons)} --case payment-start-status`)
    const open = '1 of 1 test order stays open, because the payment page does not cancel it.'
    expect(out).toMatch(new RegExp(`1 passed.*\\n${open}$`))
  })

  test('a broken contract is exit code 1, with what to do and a line for the shell', async () => {
    const cwd = folderWith()
    const endpoint = await endpointOf(ofCase('payment-methods-icon'))
    const line = `check ${endpoint} --only payments --read-only --junit report.xml`
    const says =
      /FAILED {2}An icon is a name or an https address[\s\S]*expected {2}[\s\S]*fix {7}Send a name[\s\S]*try it {4}curl -i -X POST/
    expect(await commandsIn(cwd)(line)).toMatchObject(printing(1, says))
    expect(readFileSync(join(cwd, 'report.xml'), 'utf8')).toContain('<failure message="expected a name')
  })

  test('what only should hold is advice, and exit code 0', async () => {
    const endpoint = await endpointOf(ofCase('methods-not-kept'))
    const { code, out } = await run(`check ${endpoint} --case methods-not-kept tls --json`)
    const counts = JSON.parse(out.split('\n').at(-1)!)
    expect([code, counts]).toMatchObject([0, { cases: 2, passed: 0, failed: 0, advice: 1, skipped: 1 }])
  })

  test.each([
    ['http://127.0.0.1:1/e/token', 3, 'cannot be called: the connection was refused'],
    ['nowhere', 2, 'is not an http or https address'],
    ['http://127.0.0.1:1/ --case nothing', 2, 'no case "nothing"'],
    ['http://127.0.0.1:1/ --receiver-url here', 2, 'Write an http or https address.'],
    ['http://127.0.0.1:1/ --only all', 2, 'rates, payments'],
  ])('%s is exit code %i, in a sentence and before anything else is said', async (words, code, says) => {
    const ended = await run(`check ${words}`)
    expect(ended).toMatchObject({ ...saying(code, says), out: '' })
    expect(ended.err).not.toMatch(/\n\s+at /)
  })

  test('interrupted it prints what it has', async () => {
    const slow: Change = (parts) => ({
      async shipmentMethods(body) {
        if (body.shipping_address?.country === 'aq') await new Promise(() => {})
        return parts.shipmentMethods(body)
      },
    })
    const { child, ended, printed, output } = running(`check ${await endpointOf(slow)} --verbose`)
    // The next one never answers, and is not waited for.
    await printed('shipment-methods-one-way')
    child.kill('SIGINT')
    expect(await ended).toEqual([1, null])
    expect(output.stdout).toMatch(
      /\nInterrupted after \d+ cases about rates and payments: \d+ passed, 0 failed/,
    )
  })
})
