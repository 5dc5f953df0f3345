import { userInfo } from 'node:os'

const isLoginName = (text: string): boolean => /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.@\\ -]{0,99}\$?$/u.test(text)

/** The author of changes, for the audit trail. The environment can name anybody, so the user named by sudo is added to the system's name or number. */
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
