import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** As `npm pack` reports it. Sizes are in bytes: of the file that is downloaded, and of its content. */
export interface Packed {
  filename: string
  size: number
  unpackedSize: number
}

/** Packs Purveyor, as it lies in a folder, and the package of `npm create purveyor` of the same version. */
export function packBoth(from: string, to: string, options: string[] = []): Packed[] {
  const folder = mkdtempSync(join(tmpdir(), 'create-purveyor-'))
  try {
    cpSync(fileURLToPath(new URL('create-purveyor', import.meta.url)), folder, { recursive: true })
    cpSync(join(from, 'LICENSE'), join(folder, 'LICENSE'))
    const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
    writeFileSync(join(folder, 'package.json'), JSON.stringify(createManifest(manifest), null, 2))
    return [from, folder].map((cwd) => {
      const args = ['pack', '--json', '--pack-destination', to, ...options]
      const report = execFileSync('npm', args, {
        cwd,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      return JSON.parse(report.slice(report.indexOf('[')))[0] as Packed
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Its own name, code and dependency; all else is that of Purveyor. */
const createManifest = ({
  version,
  license,
  repository,
  homepage,
  bugs,
  publishConfig,
}: Record<string, unknown>) => ({
  name: 'create-purveyor',
  version,
  description: "Makes a provider of shipping rates and payments for a shop's checkout: npm create purveyor",
  license,
  repository,
  homepage,
  bugs,
  type: 'module',
  bin: { 'create-purveyor': 'create.js' },
  files: ['create.js'],
  dependencies: { purveyor: version },
  publishConfig,
})
