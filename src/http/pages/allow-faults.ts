import { isLoopbackHost } from '../../network/loopback.ts'

const lists = ['script', 'frame', 'connect', 'img', 'style', 'form', 'payment'] as const

/** Why an `allow` is none, each with its place. In development an origin of this machine may be http. */
export function allowFaults(allow: unknown, development: boolean): string[] {
  if (allow === undefined) return []
  if (typeof allow !== 'object' || allow === null) return ['must be an object of lists of origins']
  return Object.entries(allow).flatMap(([name, value]) => {
    if (name === 'popups') return typeof value === 'boolean' ? [] : ['popups must be true or false']
    if (!lists.includes(name as (typeof lists)[number]))
      return [`has no member ${name}: it has ${lists.join(', ')} and popups`]
    if (!Array.isArray(value)) return [`${name} must be a list of origins`]
    return value.flatMap((origin: unknown) =>
      isOrigin(origin, development)
        ? []
        : [
            `${name} holds ${JSON.stringify(origin)}: it takes whole https origins such as "https://js.psp.example", without a path or a star`,
          ],
    )
  })
}

/** Exactly as the browser writes it: no path, no star, no port that is the default, no name in capitals. */
function isOrigin(text: unknown, development: boolean): boolean {
  if (typeof text !== 'string' || /[*;,'"\s]/.test(text)) return false
  const url = URL.parse(text)
  if (!url || url.origin !== text) return false
  return (
    url.protocol === 'https:' || (development && url.protocol === 'http:' && isLoopbackHost(url.hostname))
  )
}
