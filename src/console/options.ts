import { z } from 'zod'
import { each, optionGroup } from '../checked-options.ts'
import { isLoopbackHost } from '../network/private-network.ts'
import { type ConsoleRole, roles } from './roles.ts'

/** Options of the console: the pages for the people who answer the phone. Without `openId` they sign in with links of `purveyor console link`. */
export interface ConsoleOptions {
  /** The port of a server of its own. Default: it is at `/console` of the provider's own server. */
  port?: number
  /** The address of its server as people reach it, with https: the console is at `/console` below it. Default: `publicUrl`. Needed with `port`. */
  url?: string
  /** The name on its pages. Default: that of the provider's brand, or `Console`. */
  name?: string
  /** Sign-in by OpenID Connect. */
  openId?: OpenIdOptions
}

/** An OpenID provider that signs people in, such as Keycloak or Entra ID. */
export interface OpenIdOptions {
  /** Its address, such as `https://login.example.com/realms/shops`. */
  issuer: string
  clientId: string
  /** Default: none, for a public client. */
  clientSecret?: string
  /** The role that each of its groups gives. Somebody in several has the highest, and somebody in none is refused. */
  groups: Readonly<Record<string, ConsoleRole>>
  /** The claim with the list of groups, in the ID token or the answer about the user. Default `groups`. */
  claim?: string
  /** The scopes to ask for. Default `openid profile email`; some providers send groups only with a scope of their own. */
  scope?: string
}

const text = z.string('must be text').min(1, 'must not be empty')
const address = z
  .url({ protocol: /^https?$/, error: 'must be an https address' })
  .refine(
    (url) => url.startsWith('https:') || isLoopbackHost(new URL(url).hostname),
    'must be an https address',
  )

export const consoleOptions = optionGroup({
  port: z.int('must be a port').min(0, 'must be a port').max(65_535, 'must be a port').optional(),
  url: address.optional(),
  name: text.optional(),
  openId: optionGroup({
    issuer: address,
    ...each(text, 'clientId'),
    ...each(text.optional(), 'clientSecret', 'claim'),
    scope: z
      .string()
      .regex(/(^| )openid( |$)/, 'must hold openid')
      .optional(),
    groups: z.record(text, z.enum(roles, `must be one of ${roles.join(', ')}`)),
  })
    .refine((given) => !('clientSecret' in given) || given.clientSecret !== undefined, {
      path: ['clientSecret'],
      message: 'is not set: leave it out for a public client',
    })
    .optional(),
}).refine(({ port, url }) => port === undefined || url !== undefined, {
  path: ['url'],
  message: 'is needed with port: the address of its server as people reach it',
})
