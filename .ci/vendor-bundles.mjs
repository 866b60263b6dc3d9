// Some libraries need aliases that users of this package should not have to configure, and some bring many packages along, so each is shipped
// as one bundled file.
import { readdirSync, readFileSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { reachableCode } from './entries.mjs'
import { root } from './run-command.mjs'

/** Each engine is the only file of its folder that imports the vendor's library. */
const engines = [
  {
    room: 'backends/memfs',
    alias: { 'node:stream': 'node-shims.ts', 'node:url': 'node-shims.ts', process: 'node-shims.ts' },
    packages: { 'node:buffer': 'buffer/', 'node:events': 'events/', 'node:path': 'path-browserify' },
    // Reading the user ID requires a permission in Deno.
    inject: ['node-shims.ts'],
  },
  {
    room: 'resources/sqlite',
    // It would look for its workers and its script beside the bundle, where they are missing. Neither is used.
    define: { 'import.meta.url': '"https://localhost/"' },
    plugins: [embeddedWasm()],
  },
  { room: 'resources/document', define: { process: 'globalThis.process', Buffer: 'globalThis.Buffer' } },
  { room: 'resources/url', define: { process: 'globalThis.process', Buffer: 'globalThis.Buffer' } },
]

/** Replaces the engines that tsc wrote to `dist`. */
export async function bundleVendors(dist) {
  const metafiles = []
  for (const engine of engines) {
    const folder = `${dist}/${engine.room}/`
    const { metafile } = await bundle(engine, { outfile: `${folder}engine.js`, allowOverwrite: true, legalComments: 'linked' })
    await writeFile(`${folder}engine.licenses.txt`, licenses(metafile))
    metafiles.push(metafile)
  }
  const reached = await reachableCode(dist)
  for (const metafile of metafiles) await removeLeftovers(dist, reached, metafile)
}

const engineTexts = new Map()

/** The text of one engine, or of another file in its folder with all its imports, for tests that run the shipped code without a build. */
export function engineText(room, file = 'engine.ts') {
  const key = `${room}/${file}`
  // Each project of Vitest asks for it.
  if (!engineTexts.has(key)) engineTexts.set(key, bundledText(room, file))
  return engineTexts.get(key)
}

async function bundledText(room, file) {
  const engine = { room, ...engines.find(candidate => candidate.room === room), file }
  const { outputFiles } = await bundle(engine, { write: false, outfile: 'engine.js', legalComments: 'none' })
  return outputFiles[0].text
}

/** A worker of the tests as one file. */
export async function workerText(file) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    outfile: 'worker.js',
    absWorkingDir: root,
    logLevel: 'warning',
  })
  return outputFiles[0].text
}

// The module is embedded in the script, without growing: then a user's bundler has no file to find and to copy.
function embeddedWasm() {
  return {
    name: 'embedded-wasm',
    setup({ onLoad }) {
      onLoad({ filter: /resources\/sqlite\/wasm-binary\.ts$/ }, async () => {
        const wasm = await readFile(`${root}node_modules/@sqlite.org/sqlite-wasm/dist/sqlite3.wasm`)
        return { contents: `export const compressedWasm = '${gzipSync(wasm, { level: 9 }).toString('base64')}'` }
      })
    },
  }
}

async function bundle({ room, alias = {}, packages = {}, inject = [], define = {}, plugins = [], file = 'engine.ts' }, output) {
  const source = `${root}src/${room}/`
  const aliases = Object.entries(alias).map(([name, file]) => [name, source + file])
  const result = await build({
    entryPoints: [source + file],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    alias: { ...Object.fromEntries(aliases), ...packages },
    inject: inject.map(file => source + file),
    define,
    plugins,
    metafile: true,
    absWorkingDir: root,
    logLevel: 'warning',
    ...output,
  })
  const imports = Object.values(result.metafile.outputs).flatMap(({ imports: found }) => found.map(({ path }) => path))
  if (imports.length > 0)
    throw new Error(`The engine of ${room} must need nothing that a user's bundler would have to find: ${imports.join(', ')}`)
  return result
}

// tsc compiled the parts of the engine too. Files that no entry point needs any more would only require packages that a user does not have,
// and the engine's source map describes the file that was replaced.
async function removeLeftovers(dist, reached, { inputs }) {
  const parts = Object.keys(inputs)
    .filter(input => input.startsWith('src/'))
    .map(input => input.replace(/^src\/(.*)\.ts$/, '$1'))
  const gone = parts
    .filter(part => !reached.has(`${part}.js`))
    .flatMap(part => [`${part}.js`, `${part}.d.ts`, `${part}.d.ts.map`])
  const maps = parts.filter(part => part.endsWith('/engine') || !reached.has(`${part}.js`)).map(part => `${part}.js.map`)
  for (const file of [...gone, ...maps]) await rm(`${dist}/${file}`, { force: true })
}

// The licences of all bundled code must be distributed with the file. Packages with the same text are listed above it.
export function licenses(...metafiles) {
  const folders = metafiles
    .flatMap(({ inputs }) => Object.keys(inputs))
    .filter(input => !input.startsWith('shared:'))
    .map(input => /^.*node_modules\/(@[^/]+\/)?[^/]+\//.exec(input)?.[0] ?? '')
  const namesByText = new Map()
  for (const folder of [...new Set(folders)].filter(Boolean)) {
    const { name, version, license } = JSON.parse(readFileSync(`${root}${folder}package.json`, 'utf8'))
    const text = licenseOf(folder)
    namesByText.set(text, [...(namesByText.get(text) ?? []), `${name} ${version} (${license})`])
  }
  return [...namesByText].map(([text, names]) => `${names.join('\n')}\n\n${text}`).join(`\n${'-'.repeat(80)}\n\n`)
}

function licenseOf(folder) {
  const texts = readdirSync(root + folder).filter(file => /^(licen[cs]e|notice)/i.test(file))
  return texts.map(file => readFileSync(root + folder + file, 'utf8')).join('\n')
}
