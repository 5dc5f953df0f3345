import { z } from 'zod'
import { each, optionGroup } from '../checked-options.ts'
import { type ConsoleRole, roles } from './roles.ts'

/** Options of the console: the pages for the people who answer the phone. Without `openId` they sign in with links of `purveyor console link`. */
export interface ConsoleOptions {
  /** The port of a server of its own. Default: it is at `/console` of the provider's own server. */
  port?: number
  /** The address at which people reach it, with https in production. Default: `/console` below `publicUrl`. */
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
  /** The claim with the list of groups. Default `groups`. */
  claim?: string
}

const text = z.string('must be text').min(1, 'must not be empty')
const address = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

export const consoleOptions = optionGroup({
  port: z.int('must be a port').min(0, 'must be a port').max(65_535, 'must be a port').optional(),
  url: address.optional(),
  name: text.optional(),
  openId: optionGroup({
    issuer: address,
    ...each(text, 'clientId'),
    ...each(text.optional(), 'clientSecret', 'claim'),
    groups: z.record(text, z.enum(roles, `must be one of ${roles.join(', ')}`)),
  }).optional(),
}).refine(({ port, url, openId }) => port === undefined || url !== undefined || openId === undefined, {
  path: ['url'],
  message: 'is needed with port and openId: the OpenID provider leads people back to it',
})
