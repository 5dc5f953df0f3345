// Drawn inline: they cost no request, and take the colour of the page.
const drawn = (colour: string, path: string): string =>
  `<svg viewBox="0 0 48 48" fill="none" stroke="var(--${colour})" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"><circle cx="24" cy="24" r="21"/>${path}</svg>`

/** The pictures of states, so that a page looks like what it says. */
export const icons = {
  done: drawn('accent', '<path d="m14 25 7 7 14-16"/>'),
  waiting: drawn('quiet', '<path d="M24 12v12l8 5"/>'),
  stopped: drawn('quiet', '<path d="m17 17 14 14m0-14L17 31"/>'),
  expired: drawn('quiet', '<path d="M24 12v12l8 5M9 9l30 30"/>'),
  unsure: drawn('error', '<path d="M24 13v14m0 7.5v.5"/>'),
  onward: drawn('accent', '<path class="turns" d="M14 24h20m-8-9 9 9-9 9"/>'),
} as const
export type Icon = keyof typeof icons
