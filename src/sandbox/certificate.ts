import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { PurveyorError } from '../errors.ts'

const made = [
  ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'],
  ...['-config', '/dev/null', '-subj', '/CN=localhost', '-keyout', '-', '-out', '-'],
  ...[
    'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1',
    'basicConstraints=critical,CA:FALSE',
    'keyUsage=critical,digitalSignature',
    'extendedKeyUsage=serverAuth',
  ].flatMap((extension) => ['-addext', extension]),
]

/**
 * A certificate for `localhost`, `127.0.0.1` and `::1`, valid for 30 days, as PEM texts. It is signed by itself: whoever trusts it trusts this
 * server and no other. Rejects with `ENVIRONMENT_UNFIT` where there is no `openssl`. */
export async function loopbackCertificate(): Promise<{ key: string; cert: string }> {
  const { stdout } = await promisify(execFile)('openssl', made).catch((cause: unknown) => {
    throw new PurveyorError(
      'ENVIRONMENT_UNFIT',
      'https needs the program openssl 3, which makes the certificate: install it, or leave https out.',
      { cause },
    )
  })
  const [key = '', cert = ''] = stdout.split(/(?=-----BEGIN CERTIFICATE)/)
  return { key, cert }
}
