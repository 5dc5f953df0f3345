import { userInfo } from 'node:os'

const isLoginName = (text: string): boolean => /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.@\\ -]{0,99}\$?$/u.test(text)

/**
 * The author of changes by this command, for the audit trail: the name of the system user, or `uid 1000` without one, as in containers. The
 * environment can name anybody, so the user named by sudo is added and never replaces it.
 */
export function systemUser({ SUDO_USER: sudo }: NodeJS.ProcessEnv = process.env): string {
  const name = loginName() ?? `uid ${process.getuid?.() ?? 'unknown'}`
  return sudo !== undefined && sudo !== name && isLoginName(sudo) ? `${name} (sudo by ${sudo})` : name
}

function loginName(): string | undefined {
  try {
    const { username } = userInfo()
    return isLoginName(username) ? username : undefined
  } catch {
    // The user id has no entry in the system's list of users.
    return undefined
  }
}
