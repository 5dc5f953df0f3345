import type { html } from 'hono/html'

/** Text in which every value is escaped. */
export type Html = ReturnType<typeof html>
