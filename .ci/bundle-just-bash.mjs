// just-bash needs aliases that no user of this package should have to configure, so its engine ships as one finished file.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { root } from './run-command.mjs'

const source = `${root}src/backends/just-bash/`

/** Replaces the engine that tsc left in `dist`. Gives false as long as there is no engine. */
export async function bundleJustBash(dist) {
  if (!existsSync(`${source}engine.ts`)) return false
  const folder = `${dist}/backends/just-bash/`
  const { metafile } = await build({
    entryPoints: [`${source}engine.ts`],
    outfile: `${folder}engine.js`,
    allowOverwrite: true,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    alias: { 'node:zlib': `${source}zlib-shim.ts` },
    // Binds the name Buffer inside the file; the page keeps having none.
    inject: [`${source}buffer-shim.ts`],
    // Reading the environment asks for a permission in Deno and does not exist in a page.
    define: { 'process.env': '{}' },
    legalComments: 'linked',
    metafile: true,
    absWorkingDir: root,
    logLevel: 'warning',
  })
  const imports = Object.values(metafile.outputs).flatMap(output => output.imports.map(({ path }) => path))
  if (imports.length > 0)
    throw new Error(`The engine must need nothing that a user's bundler would have to find: ${imports.join(', ')}`)
  await removeLeftovers(dist, metafile)
  await writeFile(`${folder}engine.licenses.txt`, licenses(metafile))
  return true
}

// tsc compiled the parts of the engine too. What no entry point reaches any more would only ask for packages that a user
// does not have; and the engine's map describes the file that is gone.
async function removeLeftovers(dist, { inputs }) {
  const reached = await reachable(dist)
  const parts = Object.keys(inputs)
    .filter(input => input.startsWith('src/'))
    .map(input => input.replace(/^src\/(.*)\.ts$/, '$1'))
  const gone = parts
    .filter(part => !reached.has(`${part}.js`))
    .flatMap(part => [`${part}.js`, `${part}.d.ts`, `${part}.d.ts.map`])
  const maps = parts.filter(part => part.endsWith('/engine') || !reached.has(`${part}.js`)).map(part => `${part}.js.map`)
  for (const file of [...gone, ...maps]) await rm(`${dist}/${file}`, { force: true })
}

async function reachable(dist) {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const entries = Object.values(exports).flatMap(target => (target.default ? [target.default.replace('./dist', dist)] : []))
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

// The licences of all that went into the file ask to be passed on with it.
function licenses(metafile) {
  const folders = Object.keys(metafile.inputs).map(input => /^.*node_modules\/(@[^/]+\/)?[^/]+\//.exec(input)?.[0] ?? '')
  return [...new Set(folders)]
    .filter(Boolean)
    .map(licenseOf)
    .join(`\n${'-'.repeat(80)}\n\n`)
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${root}${folder}package.json`, 'utf8'))
  const texts = readdirSync(root + folder).filter(file => /^(licen[cs]e|notice)/i.test(file))
  return [`${name} ${version} (${license})\n`, ...texts.map(file => readFileSync(root + folder + file, 'utf8'))].join('\n')
}
