import { hash } from 'node:crypto'

/** Tokens are 256 random bits. They are looked up by their hash, so that a copy of the store opens no endpoint. */
export const tokenBytes = 32

/** An invalid token is not looked up. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

export const hashToken = (token: string): string => hash('sha256', token, 'base64url')

/** Removes the secret part of tokens from a text with endpoints, such as a line for the shell. */
export const withoutToken = (text: string): string => text.replace(/(\/[ew]\/[\w-]{4})[\w-]{12,}/g, '$1...')

export const isPageToken = (text: string): boolean => /^[\w-]{1,128}$/.test(text)
