import { hash } from 'node:crypto'

/** Tokens are 256 random bits; what is looked up is their hash, so that a copy of the store opens no endpoint. */
export const tokenBytes = 32

export const hashToken = (token: string): string => hash('sha256', token, 'base64url')
