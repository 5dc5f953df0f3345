import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const own = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Writes what every page of the site loads. */
export async function writeSiteAssets(out: string): Promise<void> {
  // One script, as a page of a folder may load no modules.
  const build = await rolldown({ input: own('client.js'), platform: 'browser' })
  await build.write({ file: join(out, 'site.js'), format: 'iife', minify: true })
  await build.close()
  cpSync(own('site.css'), join(out, 'site.css'))
}
