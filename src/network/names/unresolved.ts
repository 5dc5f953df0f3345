import type { RefusalCode } from '../../refusals.ts'

export type UnresolvedCode = Extract<
  RefusalCode,
  'NAME_NOT_FOUND' | 'NAME_SERVER_FAILED' | 'NAME_LOOKUPS_FULL'
>

const why: Record<UnresolvedCode, string> = {
  NAME_NOT_FOUND: 'has no address: the name server knows none',
  NAME_SERVER_FAILED: 'has no address: the name server fails or does not answer for it',
  NAME_LOOKUPS_FULL:
    'is not looked up: too many lookups of this shop or adapter wait already, or one had too many addresses',
}

/** The host has no address to connect to. The call was not made. */
export class NameUnresolved extends Error {
  override readonly name = 'NameUnresolved'
  readonly code: UnresolvedCode
  readonly host: string

  constructor(code: UnresolvedCode, host: string) {
    super(`${host} ${why[code]}`)
    this.code = code
    this.host = host
  }
}
