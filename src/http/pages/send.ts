import type { Response } from 'express'
import type { ServedFile } from './assets.ts'
import { layout, type Page } from './layout.ts'
import { type PolicyInput, pagePolicy } from './policy.ts'

/** Answers with a page. Without a policy it loads nothing but our own images. */
export function sendPage(
  res: Response,
  status: number,
  page: Page,
  policy: Omit<PolicyInput, 'style'> = {},
): void {
  res.set(pagePolicy({ ...policy, style: page.brand.style.source }))
  Promise.resolve(layout(page)).then(
    (text) => res.status(status).type('html').send(String(text)),
    (error: unknown) => res.destroy(error as Error),
  )
}

/** Answers with a file whose name changes with its content. It is never shown as a page. */
export function sendFile(res: Response, file: ServedFile | undefined, next: () => void): void {
  if (!file) {
    next()
    return
  }
  res.set({
    'Content-Type': file.type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
  })
  res.send(file.content)
}
