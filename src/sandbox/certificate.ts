import 'reflect-metadata'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

/** PEM texts of a server on this machine. */
export interface LoopbackCertificate {
  key: string
  cert: string
  /** The authority that signed `cert`. Its key is thrown away. */
  ca: string
}

const day = 86_400_000
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const serverAuth = '1.3.6.1.5.5.7.3.1'

const keyPair = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

/** A certificate for `localhost`, `127.0.0.1` and `::1`, valid for 30 days from an hour ago, and its own authority. */
export async function loopbackCertificate(): Promise<LoopbackCertificate> {
  const [authority, server] = await Promise.all([keyPair(), keyPair()])
  const notBefore = new Date(Date.now() - day / 24)
  const notAfter = new Date(Date.now() + 30 * day)
  const validity = { notBefore, notAfter, signingAlgorithm: algorithm }
  const ca = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: '01',
    name: 'CN=Purveyor sandbox authority',
    keys: authority,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
    ],
  })
  const cert = await X509CertificateGenerator.create({
    ...validity,
    serialNumber: '02',
    subject: 'CN=localhost',
    issuer: ca.subject,
    publicKey: server.publicKey,
    signingKey: authority.privateKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([serverAuth]),
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
    ],
  })
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', server.privateKey))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  const key = ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n')
  return { key, cert: `${cert.toString('pem')}\n`, ca: `${ca.toString('pem')}\n` }
}
