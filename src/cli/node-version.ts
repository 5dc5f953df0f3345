/** The oldest Node that runs a provider, as `engines` of package.json names it. `init` starts on Node 20 too. */
export const oldestNode = '24.15'

/** Whether a version such as `24.15.0` runs a provider. */
export function runsProviders(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number)
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}
