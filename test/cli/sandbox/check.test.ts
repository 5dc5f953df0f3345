import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { atEnd } from '../../at-end.ts'
import { faultyProviders } from '../../conformance/faulty-providers.ts'
import { type Change, plainProvider } from '../../conformance/plain-provider.ts'
import { folderWith, onTerminal, purveyor, running } from '../command.ts'

async function endpointOf(change?: Change): Promise<string> {
  const { endpoint, close } = await plainProvider(...(change ? [change] : []))
  atEnd(close)
  return endpoint
}

const lastLine = (stdout: string) => JSON.parse(stdout.trimEnd().split('\n').at(-1)!)
const ofCase = (name: string) => faultyProviders.find((one) => one.case === name)!.change

describe.concurrent('check', () => {
  test('says what it will do, goes through the cases, and ends well', async () => {
    const { code, stdout, stderr } = await purveyor(['check', await endpointOf()])
    expect(code).toBe(0)
    // A slow machine gets a line every ten seconds.
    expect(stderr).toMatch(/^(purveyor: Checking: \d+ of \d+, .*\n)*$/)
    expect(stdout).toMatch(/^\d+ cases about rates and payments\. It starts payments [^\n]*--read-only/)
    expect(stdout).toMatch(
      /\n\nskipped payment-methods-icon-size: .*\nskipped tls: .*\nskipped 2 cases: The endpoint has no TLS\n/,
    )
    expect(stdout).toMatch(
      /\n\n\d+ cases about rates and payments: \d+ passed, 0 failed, 0 advice, 4 skipped\n$/,
    )
    expect(stdout).not.toContain('shipment-methods-status')
  })

  test('--verbose prints every case', async () => {
    const args = ['check', await endpointOf(), '--verbose', '--case', 'shipment-methods-status', 'tls']
    const { stdout } = await purveyor(args)
    expect(stdout).toBe(`2 cases about rates and payments. It starts no payments.

ok      A request for methods is answered with 201 (shipment-methods-status, spec 4.3)
skipped tls: The endpoint is on this machine, where http is fine

2 cases about rates and payments: 1 passed, 0 failed, 0 advice, 1 skipped
`)
  })

  test('nothing is said before it is known that there is something to check', async () => {
    const { stdout } = await purveyor(['check', 'http://127.0.0.1:1/e/token'])
    expect(stdout).toBe('')
  })

  test('on a terminal a line counts the cases, also beside --json, and is gone at the end', async () => {
    const slow: Change = (parts) => ({
      async shipmentMethods(body) {
        if (body.quote.weight > 1_000_000) await new Promise((resolve) => setTimeout(resolve, 1_500))
        return parts.shipmentMethods(body)
      },
    })
    const args = ['check', await endpointOf(slow), '--only', 'rates']
    const shown = await onTerminal(args, [])
    const drawn = shown.split('\r\u001b[K').filter((part) => part.startsWith('Checking'))
    expect(drawn.join('\n')).toMatch(/^Checking: \d+ of \d+, 0 failed/m)
    expect(shown).toMatch(/skipped tls: .*\r\n/)
    expect(shown.split('\u001b[K').at(-1)).not.toContain('Checking')
  })

  test('orders that cannot be cancelled are named', async () => {
    const noButtons: Change = (parts) => ({
      page: (payment) => ({ ...parts.page(payment), body: '<!doctype html><p>Transfer it.' }),
    })
    const args = ['check', await endpointOf(noButtons), '--case', 'payment-start-status']
    expect((await purveyor(args)).stdout).toMatch(
      /1 passed.*\n1 of 1 test order stays open, because the payment page does not cancel it\.\n$/,
    )
  })

  test('a broken contract is exit code 1, with what to do and a line for the shell', async () => {
    const cwd = folderWith()
    const endpoint = await endpointOf(ofCase('payment-methods-icon'))
    const args = ['check', endpoint, '--only', 'payments', '--read-only', '--junit', 'report.xml']
    const { code, stdout } = await purveyor(args, { cwd })
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /FAILED {2}An icon is a name or an https address[\s\S]*expected {2}[\s\S]*fix {7}Send a name[\s\S]*try it {4}curl -i -X POST/,
    )
    expect(readFileSync(join(cwd, 'report.xml'), 'utf8')).toContain('<failure message="expected a name')
  })

  test('what only should hold is advice, and exit code 0', async () => {
    const endpoint = await endpointOf(ofCase('no-cookies'))
    const { code, stdout } = await purveyor(['check', endpoint, '--case', 'no-cookies', 'tls', '--json'])
    expect([code, lastLine(stdout)]).toMatchObject([
      0,
      { cases: 2, passed: 0, failed: 0, advice: 1, skipped: 1 },
    ])
  })

  test.each([
    [['http://127.0.0.1:1/e/token'], 3, 'cannot be called: the connection was refused'],
    [['nowhere'], 2, 'is not an http or https address'],
    [['http://127.0.0.1:1/', '--case', 'nothing'], 2, 'no case "nothing"'],
    [['http://127.0.0.1:1/', '--receiver-url', 'here'], 2, 'An http or https address.'],
    [['http://127.0.0.1:1/', '--only', 'all'], 2, 'rates, payments'],
  ] as [string[], number, string][])('%j is exit code %i, in a sentence', async (args, code, says) => {
    const ended = await purveyor(['check', ...args])
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(says) })
    expect(ended.stderr).not.toMatch(/\n\s+at /)
  })

  test('interrupted it prints what it has', async () => {
    const slow: Change = (parts) => ({
      shipmentMethods: async (body) => {
        const far = body.shipping_address?.country === 'aq'
        if (far) await new Promise(() => {})
        return parts.shipmentMethods(body)
      },
    })
    const { child, ended, printed, output } = running(['check', await endpointOf(slow), '--verbose'])
    // The next one never answers, and is not waited for.
    await printed('shipment-methods-one-way')
    child.kill('SIGINT')
    expect(await ended).toEqual([1, null])
    expect(output.stdout).toMatch(
      /\nInterrupted after \d+ cases about rates and payments: \d+ passed, 0 failed/,
    )
  })
})
