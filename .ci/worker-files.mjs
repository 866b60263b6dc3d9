// The finished worker scripts, `dist/worker-files`: they need no bundler and no package, so they work on a static page and under any
// bundler, which only copies them. `worker.js` holds what every page needs for its first read. The rest is in a few files beside it, loaded
// when they are needed. Modules that several files use live in one of them only, because errors are told apart by their class.
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { build } from 'esbuild'
import { root, run } from './run-command.mjs'
import { licenses } from './vendor-bundles.mjs'

/** Parts that a lazy module belongs to by where it lies; the first that fits. What several parts use is in `common`. */
const parts = [
  ['opfs', /^backends\/opfs\//],
  ['shell', /^(backends\/just-bash|workspace\/rg)\//],
  ['blocks', /^text\/blocks\/|@lezer/],
  ['resources', /^resources\//],
]

/** A library that is loaded by itself is a part by itself. */
function partOf(id) {
  const own = parts.find(([, pattern]) => pattern.test(id))?.[0]
  const library = /.*node_modules\/(@[^/]+\/[^/]+|[^/]+)/.exec(id)?.[1]
  return own ?? library?.replaceAll(/[^\w-]+/g, '-').replace(/^-/, '') ?? 'more'
}

const common = 'common'
const first = 'worker'
const shell = 'shell'
const shellEntry = 'backends/just-bash/shell-worker.js'
/** Owns what only the worker of scripts has. */
const ofShellWorker = 'shell-worker'
/** The files that the worker of scripts loads as the other worker does. */
const ofScripts = new Set([common, shell])

/** Names that the files find each other by, in the scope of one worker. */
const registry = `globalThis[Symbol.for('anchorage.modules')]`
const loader = `globalThis[Symbol.for('anchorage.load')]`

/** The workers that the first one starts: the file, and the function of the first file that starts it. */
const innerWorkers = ['shell-worker', 'document-worker'].map(file => {
  const call = String.raw`new Worker\(\s*new URL\((['"])\./${file}\.js\1,\s*import\.meta\.url\),\s*\{\s*type:\s*(['"])module\2\s*\}\s*\)`
  return { file, pattern: new RegExp(call), start: `globalThis[Symbol.for('anchorage.${file}')]` }
})
const documentEntry = 'resources/document/document-worker.js'
const documentEngine = 'resources/document/engine.js'
/** The first message to either of them: where its files are. Parcel knows no addresses in a worker that another worker starts. */
const addresses = `'anchorage-files'`

/** So that Vite and webpack leave the call alone: the address is right where it comes to run. Minifying removes comments, so it comes after. */
const ignored = '/* @vite-ignore */ /* webpackIgnore: true */'

export async function leaveImportAlone(file) {
  const [before, after, ...more] = (await readFile(file, 'utf8')).split(/(?<=\bimport\()(?!["'])/)
  if (after === undefined || more.length > 0) throw new Error(`${file} must have one import of an address.`)
  await writeFile(file, `${before}${ignored}${after}`)
}

/** Writes `worker-files` into `dist`, the folder that tsc and the engines were built into. */
export async function writeWorkerFiles(dist) {
  const out = join(dist, 'worker-files')
  await mkdir(out, { recursive: true })
  const graph = await readGraph(dist, ['worker/entry.js', shellEntry])
  const owners = await assignOwners(dist, graph)
  const needed = await neededFromOutside(dist, graph, owners)
  // Short, because the first file names every one that others ask for.
  const keys = new Map([...needed.keys()].map((id, index) => [id, index]))
  const names = [...new Set(owners.values())].filter(name => name !== ofShellWorker && !name.endsWith('.js'))
  const metafiles = []
  for (const name of names) metafiles.push(await writePart(dist, out, name, { owners, needed, names, keys }))
  metafiles.push(await writePage(dist, out))
  metafiles.push(await writeShellWorker(dist, out, { graph, owners, needed, keys }))
  metafiles.push(await writeDocumentWorker(dist, out, owners.get(documentEngine)))
  for (const name of [first, ...innerWorkers.map(({ file }) => file)]) await leaveImportAlone(join(out, `${name}.js`))
  await writeFile(join(out, 'licenses.txt'), licenses(...metafiles))
  // Only the first file's address is right: bundlers rename the others.
  for (const name of names.filter(each => each !== first)) {
    const text = await readFile(join(out, `${name}.js`), 'utf8')
    const found = innerWorkers.find(({ pattern }) => pattern.test(text))
    if (found !== undefined) throw new Error(`${name}.js must start ${found.file}.js through ${first}.js.`)
  }
  for (const [id, owner] of owners) {
    if (!owner.endsWith('.js')) continue
    // An engine lies here, and where it is loaded otherwise is told so: it is too large to lie in the package twice.
    await rename(join(dist, id), join(out, owner))
    await writeFile(join(out, owner), registeredEngine(owner, await readFile(join(out, owner), 'utf8')))
    for (const beside of ['js.LEGAL.txt', 'licenses.txt']) {
      const file = join(dist, dirname(id), `engine.${beside}`)
      if (existsSync(file)) await rename(file, join(out, owner.replace('js', beside)))
    }
    const way = relative(dirname(id), join('worker-files', owner)).replaceAll('\\', '/')
    await writeFile(join(dist, id), `export * from '${way}'\n`)
  }
  const types = {
    'worker.d.ts': 'export {}\n',
    ...Object.fromEntries(innerWorkers.map(({ file }) => [`${file}.d.ts`, 'export {}\n'])),
    'page.d.ts': `${pageExports('..').join('\n')}\n`,
  }
  for (const [file, text] of Object.entries(types)) await writeFile(join(out, file), text)
}

/** Parcel leaves out what a file exports if the file is reached by its address, so an engine is in the registry too. */
function registeredEngine(name, text) {
  const [, clause] = /\bexport\s*\{([^{}]*)\};?(?=[^{}]*$)/.exec(text) ?? []
  if (clause === undefined) throw new Error(`${name} must export what it has at its end.`)
  const members = clause.split(',').map(member => {
    const [local, exported = local] = member.trim().split(/\s+as\s+/)
    return `${exported}:${local}`
  })
  return `${text.trimEnd()}\n;(${registry}??=new Map()).set('${name}',{${members.join(',')}});\n`
}

/** Which module imports which: id → imports. An ID is a path from `dist`. */
async function readGraph(dist, entries) {
  const { metafile } = await build({
    ...options(),
    entryPoints: entries.map(entry => join(dist, entry)),
    outdir: 'unused',
    write: false,
    metafile: true,
  })
  return new Map(
    Object.entries(metafile.inputs).map(([path, { imports }]) => [
      idOf(dist, path),
      imports.filter(({ external }) => !external).map(({ path: to, kind, original }) => ({ to: idOf(dist, to), kind, original })),
    ]),
  )
}

function options() {
  return {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    logLevel: 'error',
    external: ['node:*', '@lydell/node-pty', '@webcontainer/api'],
    // Parcel installs a polyfill for each name of Node's that stands alone.
    define: { process: 'globalThis.process', Buffer: 'globalThis.Buffer' },
    tsconfigRaw: '{}',
  }
}

function idOf(dist, path) {
  return relative(dist, resolve(root, path)).replaceAll('\\', '/')
}

/** id → the file that it goes into. */
async function assignOwners(dist, graph) {
  const owners = new Map((await loadedByFirstReads(dist)).filter(id => graph.has(id)).map(id => [id, first]))
  const staticClosure = roots => {
    const reached = new Set()
    const visit = id => {
      if (reached.has(id)) return
      reached.add(id)
      for (const { to, kind } of graph.get(id) ?? []) if (kind !== 'dynamic-import') visit(to)
    }
    for (const id of roots) visit(id)
    return reached
  }
  for (const id of staticClosure([...owners.keys(), 'worker/entry.js'])) owners.set(id, first)
  const targets = new Set(
    [...graph.values()]
      .flat()
      .filter(({ kind }) => kind === 'dynamic-import')
      .map(({ to }) => to),
  )
  const users = new Map()
  for (const target of targets) {
    if (owners.has(target)) continue
    if (target.endsWith('/engine.js')) {
      owners.set(target, `${target.split('/').at(-2)}-engine.js`)
      continue
    }
    const part = partOf(target)
    for (const id of staticClosure([target])) {
      if (!owners.has(id)) users.set(id, (users.get(id) ?? new Set()).add(part))
    }
  }
  for (const [id, using] of users) owners.set(id, using.size === 1 ? [...using][0] : common)
  for (const id of graph.keys()) if (!owners.has(id)) owners.set(id, ofShellWorker)
  return owners
}

/** Modules that run before the first read of each toolset has its answer: observed, not guessed. */
async function loadedByFirstReads(dist) {
  const program = `
    import { createWorkspace } from ${JSON.stringify(join(dist, 'index.js'))}
    import { memory } from ${JSON.stringify(join(dist, 'backends/memory/index.js'))}
    const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'hello\\n' }) })
    const tools = await workspace.toolset('atomic')
    const { isError } = await tools.call('read', { path: 'a.txt' })
    if (isError) throw new Error('The first read failed.')
    console.log(JSON.stringify([...globalThis.loadedModules]))
    await workspace.dispose()`
  const { outputFiles } = await build({
    ...options(),
    minify: false,
    stdin: { contents: program, resolveDir: root, sourcefile: 'main.js' },
    write: false,
    plugins: [
      {
        name: 'mark-modules',
        setup(api) {
          api.onLoad({ filter: /\.m?js$/ }, async ({ path }) => ({
            contents: `(globalThis.loadedModules ??= new Set()).add(${JSON.stringify(idOf(dist, path))});\n${await readFile(path, 'utf8')}`,
            resolveDir: dirname(path),
          }))
        },
      },
    ],
  })
  const file = join(dist, '.first-read.mjs')
  await writeFile(file, outputFiles[0].text)
  const { code, output } = await run(process.execPath, [file])
  if (code !== 0) throw new Error(`The first read failed.\n${output}`)
  await rm(file)
  return JSON.parse(output.trim().split('\n').at(-1))
}

/** What each file asks of modules of others: id → names of exports, or `undefined` for all of them. */
async function neededFromOutside(dist, graph, owners) {
  const needed = new Map()
  for (const [id, imports] of graph) {
    const crossing = imports.filter(({ to }) => isFetched(owners.get(to), owners.get(id)))
    if (crossing.length === 0) continue
    const text = await readFile(join(dist, id), 'utf8')
    for (const { to, kind, original } of crossing) {
      const names = kind === 'import-statement' ? namesIn(text, original) : undefined
      const known = needed.has(to) ? needed.get(to) : []
      needed.set(to, names === undefined || known === undefined ? undefined : [...new Set([...known, ...names])])
    }
  }
  return needed
}

/** The names that a module imports by `specifier`; `undefined` where it may use any. */
function namesIn(text, specifier) {
  const quoted = specifier.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const clauses = [...text.matchAll(new RegExp(`\\b(?:import|export)\\s*([^;'"]*?)\\s*from\\s*['"]${quoted}['"]`, 'g'))].map(
    ([, clause]) => clause,
  )
  if (clauses.length === 0 || clauses.some(clause => !/^\{[^}]*\}$/.test(clause))) return undefined
  return clauses.flatMap(clause =>
    clause
      .slice(1, -1)
      .split(',')
      .map(name => name.trim().split(/\s+as\s+/)[0])
      .filter(Boolean),
  )
}

/** Whether a file reaches the modules of another in it. The worker of scripts has the modules of all but two files within itself. */
function isFetched(owner, by) {
  return owner !== undefined && owner !== by && (by !== ofShellWorker || ofScripts.has(owner))
}

async function writePart(dist, out, name, { owners, needed, names, keys }) {
  const own = [...needed].filter(([id]) => owners.get(id) === name)
  const contents = [
    `const modules = (${registry} ??= new Map())`,
    ...own.map(([id, wanted], index) => registered(keys.get(id), JSON.stringify(join(dist, id)), wanted, `m${index}`)),
    ...(name === first ? [firstPart(dist, owners, names)] : []),
  ].join('\n')
  const { metafile } = await build({
    ...options(),
    metafile: true,
    stdin: { contents, resolveDir: root, sourcefile: `${name}.js` },
    outfile: join(out, `${name}.js`),
    plugins: [crossing(dist, name, { owners, needed, keys })],
  })
  return metafile
}

function registered(key, path, names, prefix) {
  if (names === undefined) return `import * as ${prefix} from ${path}\nmodules.set(${key}, ${prefix})`
  const clause = names.map((name, index) => `${name} as ${prefix}_${index}`).join(', ')
  // The values themselves, in order: this runs when the whole file has been evaluated, and no module changes what it exports.
  return `import { ${clause} } from ${path}\nmodules.set(${key}, [${names.map((_name, index) => `${prefix}_${index}`).join(', ')}])`
}

/** What a file has in place of a module of another file: the values that {@link registered} stored. */
function fetched(key, names) {
  const found = `${registry}.get(${key})`
  if (names === undefined) return `module.exports = ${found}`
  const values = names.map((_name, index) => `value${index}`)
  return `const [${values.join(', ')}] = ${found}\nexport { ${names.map((name, index) => `value${index} as ${name}`).join(', ')} }`
}

/** How the first file finds the others. Each address stands written out, because bundlers look for exactly that. */
function firstPart(dist, owners, names) {
  const engines = [...owners].filter(([, owner]) => owner.endsWith('.js'))
  const files = [...names.filter(name => name !== first).map(name => `${name}.js`), ...engines.map(([, file]) => file)]
  return `
    import { serveWorkspace } from ${JSON.stringify(join(dist, 'worker/entry.js'))}
    // Named, because a module that is only imported counts as one without effects.
    modules.set('worker/entry.js', { serveWorkspace })
    const urls = { ${files.map(file => `${JSON.stringify(file)}: () => new URL(${JSON.stringify(`./${file}`)}, import.meta.url)`).join(', ')} }
    const loading = new Map()
    const load = file => {
      if (!loading.has(file)) loading.set(file, start(file).catch(error => { loading.delete(file); throw error }))
      return loading.get(file)
    }
    const start = async file => {
      if (file !== ${JSON.stringify(`${common}.js`)} && ${JSON.stringify(`${common}.js`)} in urls) await load(${JSON.stringify(`${common}.js`)})
      return import(urls[file]().href)
    }
    ${loader} = async (file, id = file) => { await load(file); return modules.get(id) }
    ${innerWorkers.map(({ file, start }) => `${start} = () => ${started(file, owners)}`).join('\n')}`
}

/** An expression of the first file. */
function started(file, owners) {
  const files = file === ofShellWorker ? [...ofScripts].map(name => `${name}.js`) : [owners.get(documentEngine)]
  const hrefs = files.map(name => `urls[${JSON.stringify(name)}]().href`)
  const worker = `new Worker(new URL('./${file}.js', import.meta.url), { type: 'module' })`
  return `{ const worker = ${worker}; worker.postMessage({ ${addresses}: [${hrefs.join(', ')}] }, []); return worker }`
}

/** Of an inner worker: the addresses of its files, once they are told. Nothing else hears the message. */
const told = `new Promise(resolve => addEventListener('message', event => {
  event.stopImmediatePropagation()
  resolve(event.data[${addresses}])
}, { once: true }))`

/** Reaches modules of other files: those that are loaded through the registry, the others through the loader. */
function crossing(dist, name, { owners, needed, keys }) {
  return {
    name: 'crossing',
    setup(api) {
      api.onResolve({ filter: /.*/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (pluginData === 'resolving' || kind === 'entry-point') return undefined
        const found = await api.resolve(path, { kind, resolveDir, pluginData: 'resolving' })
        // A library may ask for one that need not be there; esbuild knows how.
        if (found.errors.length > 0) return undefined
        if (found.external) return found
        const id = idOf(dist, found.path)
        const owner = owners.get(id)
        const ending = needed.get(id) === undefined ? wholeEnding : ''
        return isFetched(owner, name) ? { path: `${id}${ending}`, namespace: 'shared' } : found
      })
      api.onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => {
        const id = path.replace(/\.whole\.cjs$/, '')
        return { contents: fetched(keys.get(id), needed.get(id)) }
      })
      api.onLoad({ filter: /\.m?js$/ }, async ({ path }) => {
        let contents = await readFile(path, 'utf8')
        for (const [call, specifier] of dynamicImports(contents)) {
          const found = await api.resolve(specifier, {
            kind: 'dynamic-import',
            resolveDir: dirname(path),
            pluginData: 'resolving',
          })
          if (found.external || found.errors.length > 0) continue
          const id = idOf(dist, found.path)
          const owner = owners.get(id)
          if (!isFetched(owner, name)) continue
          const args = owner.endsWith('.js') ? [owner] : [`${owner}.js`, keys.get(id)]
          contents = contents.replaceAll(call, `${loader}(${args.map(arg => JSON.stringify(arg)).join(', ')})`)
        }
        for (const { pattern, start } of innerWorkers) contents = contents.replace(pattern, `${start}()`)
        return { contents, resolveDir: dirname(path) }
      })
    },
  }
}

/** esbuild tells from it that the text is no ES module. */
const wholeEnding = '.whole.cjs'

function dynamicImports(text) {
  return [...text.matchAll(/\bimport\((['"])([^'"]+)\1\)/g)].map(([call, , specifier]) => [call, specifier])
}

/** `dist` is the way from the importing file to the built modules. */
function pageExports(dist) {
  const from = path => JSON.stringify(`${dist}/${path}`)
  return [
    `export { connectWorkspace, createWorker, memory, openContainer } from ${from('worker/client.js')}`,
    `export { opfs } from ${from('backends/opfs/index.js')}`,
    `export { textOf } from ${from('core/text-of.js')}`,
  ]
}

const refusedOpening = `
  import { VfsError } from '../../vfs/error.js'
  export async function openOpfs() {
    const hint = 'page.js does not open stored files itself; give opfs() to connectWorkspace'
    throw new VfsError('ENOTSUP', 'open', { hint })
  }`

/** What a page without a bundler imports: the client, and the filesystems that it can name. */
async function writePage(dist, out) {
  const contents = pageExports(dist)
  const { metafile } = await build({
    ...options(),
    metafile: true,
    splitting: true,
    entryPoints: [join(out, 'page.js')],
    outdir: out,
    chunkNames: 'page/[hash]',
    plugins: [
      {
        name: 'page',
        setup(api) {
          api.onResolve({ filter: /page\.js$/ }, ({ kind, path }) =>
            kind === 'entry-point' ? { path, namespace: 'page' } : undefined,
          )
          api.onLoad({ filter: /.*/, namespace: 'page' }, () => ({ contents: contents.join('\n'), resolveDir: root }))
          // Stored files are opened in a worker only, and this is no worker's file.
          api.onLoad({ filter: /opfs[/\\]open-opfs\.js$/ }, ({ path }) => ({
            contents: refusedOpening,
            resolveDir: dirname(path),
          }))
          api.onLoad({ filter: /worker[/\\]client\.js$/ }, async ({ path }) => ({
            contents: (await readFile(path, 'utf8')).replace('../worker-files/worker.js', './worker.js'),
            resolveDir: dirname(path),
          }))
        },
      },
    ],
  })
  return metafile
}

/** The worker that scripts run in. It shares the commands and their common modules with the other worker's files. */
async function writeShellWorker(dist, out, { graph, owners, needed, keys }) {
  const here = reachedFrom(graph, shellEntry)
  const asked = [...graph]
    .filter(([id]) => ofScripts.has(owners.get(id)))
    .flatMap(([id, imports]) => imports.filter(({ kind }) => kind !== 'dynamic-import' || here.has(id)))
    .map(({ to }) => to)
    .filter(id => !ofScripts.has(owners.get(id)))
  const register = ids =>
    ids.map((id, index) => registered(keys.get(id), JSON.stringify(join(dist, id)), needed.get(id), `m${index}`))
  const shared = [...new Set(asked)]
  // The first file's modules need nothing of the two files; the others may, and come after.
  const [before, after] = [true, false].map(isFirst => shared.filter(id => (owners.get(id) === first) === isFirst))
  const modules = `const modules = (${registry} ??= new Map())`
  const contents = [
    modules,
    ...register(before),
    `${loader} = async (_file, id) => modules.get(id)`,
    'const load = address => import(address)',
    `const told = ${told}`,
    'const start = async () => {',
    `  const [common, shell] = await told`,
    '  await load(common)',
    // Not `import`: Parcel would follow the import that esbuild writes.
    `  require('after')`,
    '  await load(shell)',
    `  require(${JSON.stringify(join(dist, shellEntry))})`,
    '}',
    // Whoever waits for the worker hears at once that it did not load.
    'start().catch(reportError)',
  ].join('\n')
  const { metafile } = await build({
    ...options(),
    metafile: true,
    stdin: { contents, resolveDir: root, sourcefile: `${ofShellWorker}.js` },
    outfile: join(out, `${ofShellWorker}.js`),
    plugins: [written('after', [modules, ...register(after)]), crossing(dist, ofShellWorker, { owners, needed, keys })],
  })
  const engine = Object.keys(metafile.inputs).find(path => path.endsWith('/engine.js'))
  if (engine !== undefined) throw new Error(`${engine} is too large for the worker of every script.`)
  return metafile
}

/** A module that is written here. */
function written(name, lines) {
  return {
    name,
    setup(api) {
      api.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: 'written' }))
      api.onLoad({ filter: /.*/, namespace: 'written' }, () => ({ contents: lines.join('\n'), resolveDir: root }))
    },
  }
}

/** The worker that documents are converted in: all readers, and the large one is in a file of the other worker. */
async function writeDocumentWorker(dist, out, engine) {
  // Not `import`, which comes first, and leaves out a module that is only imported.
  const contents = [
    `const told = ${told}`,
    // Parcel understands an import of a parameter only in this form.
    'const load = address => import(address)',
    `${loader} = async file => { await load((await told)[0]); return ${registry}.get(file) }`,
    `require(${JSON.stringify(join(dist, documentEntry))})`,
  ].join('\n')
  const { metafile } = await build({
    ...options(),
    metafile: true,
    stdin: { contents, resolveDir: root, sourcefile: 'document-worker.js' },
    outfile: join(out, 'document-worker.js'),
    plugins: [
      {
        name: 'engine-beside',
        setup(api) {
          api.onLoad({ filter: /document[/\\]pdf\.js$/ }, async ({ path }) => {
            const text = await readFile(path, 'utf8')
            const call = dynamicImports(text).find(([, specifier]) => specifier === './engine.js')?.[0]
            if (call === undefined) throw new Error(`${path} must load ./engine.js.`)
            const contents = text.replace(call, `${loader}('${engine}')`)
            return { contents, resolveDir: dirname(path) }
          })
        },
      },
    ],
  })
  return metafile
}

function reachedFrom(graph, entry) {
  const reached = new Set()
  const visit = id => {
    if (reached.has(id)) return
    reached.add(id)
    for (const { to } of graph.get(id) ?? []) visit(to)
  }
  visit(entry)
  return reached
}
