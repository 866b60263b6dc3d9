// The entry points of package.json, with each pattern (`./toolsets/*`) expanded to its entries.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { build } from 'esbuild'
import { root } from './run-command.mjs'

/** [name, target] of each entry that has files. `dist` is the build directory, absolute. */
export function entryPoints(dist = `${root}dist`) {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  return Object.entries(exports).flatMap(([name, target]) => {
    if (typeof target === 'string') return []
    if (!name.includes('*')) return [[name, target]]
    const folder = target.default.replace('./dist', dist).replace(/\/\*.*/, '')
    const folders = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory())
    const named = folders.map(({ name: own }) => [name.replace('*', own), replaceStars(target, own)])
    return named.filter(([, { default: file }]) => existsSync(file.replace('./dist', dist)))
  })
}

/** The built code of the entry points and all that it imports, relative to `dist`. */
export async function reachableCode(dist) {
  const entries = entryPoints(dist).map(([, target]) => target.default.replace('./dist', dist))
  const { metafile } = await build({
    absWorkingDir: dist,
    entryPoints: entries.filter(existsSync),
    outdir: 'unused',
    write: false,
    bundle: true,
    packages: 'external',
    format: 'esm',
    metafile: true,
    logLevel: 'error',
  })
  return new Set(Object.keys(metafile.inputs))
}

function replaceStars(target, name) {
  return Object.fromEntries(Object.entries(target).map(([key, file]) => [key, file.replaceAll('*', name)]))
}
