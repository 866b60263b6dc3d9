// What the package requires from a project that installs it: only the declared dependencies, and types that work with lib.dom alone.
// With --deep, only these types, as a bundler resolves them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import typescript from 'typescript'
import { entryPoints } from './entries.mjs'
import { withoutUndefined } from './optional-types.mjs'
import { bin, root, run } from './run-command.mjs'

// All other files also run without Node.
const nodeRooms = /^dist\/(backends\/node|testing)\//

// Made of the others, with all that they need.
const bundled = /^dist\/worker-files\//

/** Where it is now; docs/package.md says what takes it. */
const unpackedBudgetBytes = 12_200_000

const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const declared = new Set([...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.peerDependencies ?? {})])
const files = (await readdir(`${root}dist`, { recursive: true })).map(file => join('dist', file))
const packed = await packedFiles()
const isDeep = process.argv.includes('--deep')
const problems = isDeep
  ? await typeErrors({ module: 'esnext', moduleResolution: 'bundler' })
  : [
      ...missingFiles(),
      ...brokenLinks(),
      ...tooLarge(),
      ...(await undeclaredInCode()),
      ...undeclaredInTypes(),
      ...files.filter(isType).flatMap(file => withoutUndefined(file, readFileSync(root + file, 'utf8'))),
      ...(await typeErrors({ module: 'nodenext' })),
    ]
if (problems.length > 0) {
  console.log(problems.join('\n'))
  process.exitCode = 1
}

/** Entries that are single files, such as a grammar. */
function missingFiles() {
  const single = Object.values(manifest.exports).filter(target => typeof target === 'string' && target.startsWith('./dist/'))
  return single.filter(target => !files.includes(join(target))).map(target => `${target} is exported and was not built`)
}

/** path → size in bytes. */
async function packedFiles() {
  const { output } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'])
  const [{ files: found }] = JSON.parse(output.slice(output.indexOf('[\n')))
  return new Map(found.map(({ path, size }) => [path, size]))
}

/** In the package's documents: to files that the package does not have. */
function brokenLinks() {
  const paths = [...packed.keys()]
  return paths
    .filter(path => path.endsWith('.md'))
    .flatMap(path => {
      const links = [...readFileSync(root + path, 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link]) => link)
      const isThere = target => paths.some(each => each === target || each.startsWith(`${target}/`))
      const missing = links.filter(link => !/^[a-z]+:/.test(link) && !isThere(join(path, '..', link)))
      return missing.map(link => `${path} links to ${link}, which is not in the package`)
    })
}

function tooLarge() {
  const sizeBytes = [...packed.values()].reduce((total, size) => total + size, 0)
  console.log(`${(sizeBytes / 1e6).toFixed(2)} MB unpacked, of ${unpackedBudgetBytes / 1e6}`)
  return sizeBytes > unpackedBudgetBytes ? ['The package is over its budget.'] : []
}

async function undeclaredInCode() {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files.filter(file => file.endsWith('.js') && !bundled.test(file)),
    outdir: 'unused',
    write: false,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'browser',
    metafile: true,
    logLevel: 'error',
  })
  return Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
    imports.filter(({ external, path }) => external && !isAllowed(file, path)).map(({ path }) => undeclared(file, path)),
  )
}

function isType(file) {
  return file.endsWith('.d.ts')
}

function undeclaredInTypes() {
  return files.filter(isType).flatMap(file => {
    const { importedFiles } = typescript.preProcessFile(readFileSync(root + file, 'utf8'))
    const packages = importedFiles.map(({ fileName }) => fileName).filter(path => !path.startsWith('.'))
    return packages.filter(path => !isAllowed(file, path)).map(path => undeclared(file, path))
  })
}

// A user's project may have neither Node's types nor skipLibCheck, and may resolve modules as Node or as a bundler does. Errors inside
// other packages are not reported here.
async function typeErrors(resolution) {
  const folder = mkdtempSync(`${root}.dist-types-`)
  try {
    const include = [...entryPoints().map(([, { types }]) => join('..', types)), '../e2e/public-types.ts']
    const compilerOptions = {
      lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      target: 'ES2023',
      ...resolution,
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
    }
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files: include }))
    const { output } = await run(bin('tsc'), ['-p', folder, '--pretty', 'false'])
    return output.split('\n').filter(line => /^(dist|e2e)\/|^error/.test(line))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function isAllowed(file, path) {
  if (path.startsWith('node:')) return nodeRooms.test(file)
  return declared.has(/^(@[^/]+\/)?[^/]+/.exec(path)[0])
}

function undeclared(file, path) {
  return `${file} imports "${path}", which is not among the dependencies`
}
