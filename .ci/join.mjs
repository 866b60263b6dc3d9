// Joins the modules that are always loaded together. Node finds, reads and compiles each file separately, which took a third of a first
// search (2026). Bundlers make the same parts of them.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { build } from 'esbuild'
import { entryPoints } from './entries.mjs'
import { root } from './run-command.mjs'

/** Where the modules of a first search are. */
const rooms = /^(?:search|session|toolsets\/atomic\/search)\//

/** Parts that the plugin of docs/edge.md leaves out of a bundle, with all that only they need. */
const leftOut = ['search/simd/functions.js']

/**
 * Small modules without state of which every file of a first search that uses one has a copy: finding and compiling a file takes longer.
 * Bundlers would make a file of each, because other parts use them too.
 */
const copied = new Set([
  'core/pause.js',
  'search/is-glob.js',
  'search/searchable.js',
  'search/simd/layout.js',
  'session/file-source.js',
  'session/newest-first.js',
  'session/search-hints.js',
  'session/tool-directories.js',
  'toolsets/atomic/listed-paths.js',
])

/** Returns a note. */
export async function joinModules(dist) {
  const graph = await importsOf(dist)
  const unknown = [...copied].filter(id => !graph.has(id))
  if (unknown.length > 0) throw new Error(`There is no module ${unknown.join(', ')}. Correct the list in .ci/join.mjs.`)
  const texts = new Map(await Promise.all([...graph.keys()].map(async id => [id, await readFile(join(dist, id), 'utf8')])))
  const owners = ownersOf(groupsOf(dist, graph), texts, graph)
  const joined = new Set([...owners].filter(([id, owner]) => id !== owner).map(([id]) => id))
  for (const owner of new Set(owners.values())) texts.set(owner, await joinedText(dist, owner, owners))
  const isUsed = id => [...texts].some(([user, text]) => !joined.has(user) && importsFrom(user, text).includes(id))
  for (const [id, text] of texts) {
    if (joined.has(id) || (copied.has(id) && !isUsed(id))) await rm(join(dist, id))
    else
      await writeFile(
        join(dist, id),
        text.replaceAll(specifier, (all, word, path) => {
          const target = join(dirname(id), path)
          return joined.has(target) ? `${word}"${wayTo(id, owners.get(target))}"` : all
        }),
      )
  }
  return `${joined.size} modules joined to ${new Set(owners.values()).size} others, ${copied.size} copied`
}

/** The path of a module in an import, as the code is written after it was made short. */
const specifier = /\b(from|import|import\()"(\.[^"\n]+\.js)"/g

const importsFrom = (id, text) => [...text.matchAll(specifier)].map(([, , path]) => join(dirname(id), path))

function wayTo(id, target) {
  const way = relative(dirname(id), target)
  return way.startsWith('.') ? way : `./${way}`
}

/** The ID of each module (its path from `dist`) → what it imports, and how. */
async function importsOf(dist) {
  const { metafile } = await build({
    ...options,
    entryPoints: entryFiles(dist).map(id => join(dist, id)),
    outdir: 'unused',
    write: false,
    splitting: true,
    metafile: true,
  })
  const idOf = path => relative(dist, resolve(root, path))
  return new Map(
    Object.entries(metafile.inputs).map(([path, { imports }]) => [
      idOf(path),
      imports.filter(({ external }) => !external).map(({ path: to, kind }) => ({ to: idOf(to), kind })),
    ]),
  )
}

const entryFiles = dist =>
  entryPoints(dist)
    .map(([, target]) => relative('dist', target.default))
    .filter(id => !id.startsWith('worker-files/'))

/**
 * Modules of the rooms that the same roots load: entries and what is imported when it is needed. Each group begins with its root, or with
 * a module that the others do not import.
 */
function groupsOf(dist, graph) {
  const imports = [...graph.values()].flat()
  const roots = new Set([
    ...entryFiles(dist),
    ...leftOut,
    ...imports.filter(({ kind }) => kind === 'dynamic-import').map(({ to }) => to),
  ])
  const users = new Map([...graph.keys()].map(id => [id, []]))
  for (const each of roots) {
    const reached = new Set([each])
    for (const id of reached) {
      users.get(id)?.push(each)
      for (const { to, kind } of graph.get(id) ?? []) if (kind === 'import-statement' && !leftOut.includes(to)) reached.add(to)
    }
  }
  const groups = new Map()
  for (const [id, own] of users)
    if (rooms.test(id) && !copied.has(id)) groups.set(own.join(), [...(groups.get(own.join()) ?? []), id])
  return [...groups.values()].map(ids => {
    const below = new Set(ids.flatMap(id => (graph.get(id) ?? []).map(({ to }) => to)))
    const rank = id => (roots.has(id) ? 0 : below.has(id) ? 2 : 1)
    return ids.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  })
}

/**
 * Each module of a group → the module whose file it is in; also a single module that gets copies. Two modules that export the same name
 * are not joined.
 */
function ownersOf(groups, texts, graph) {
  const owners = new Map()
  for (const ids of groups) {
    const names = new Set()
    const [owner, ...others] = ids.filter(id => {
      const own = exportedNames(texts.get(id))
      if (own === undefined || own.some(name => names.has(name))) return false
      for (const name of own) names.add(name)
      return true
    })
    const getsCopies = graph.get(owner)?.some(({ to }) => copied.has(to))
    if (others.length > 0 || getsCopies) for (const id of [owner, ...others]) owners.set(id, owner)
  }
  return owners
}

/** `undefined` if the module must stay as it is. */
function exportedNames(text) {
  if (/\bimport\.meta\b|export\s*\*|export default/.test(text)) return undefined
  const lists = [...text.matchAll(/\bexport\s*\{([^}]*)\}/g)].flatMap(([, list]) => list.split(','))
  return lists.map(member =>
    member
      .trim()
      .split(/\s+as\s+/)
      .at(-1),
  )
}

async function joinedText(dist, owner, owners) {
  const members = [...owners.keys()].filter(id => owners.get(id) === owner)
  const others = {
    name: 'others',
    setup({ onResolve }) {
      onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
        const id = relative(dist, resolve(resolveDir, path))
        return members.includes(id) || copied.has(id) ? undefined : { path: wayTo(owner, id), external: true }
      })
    },
  }
  const contents = members.map(id => `export * from './${id}'`).join('\n')
  const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: dist }, write: false, plugins: [others] })
  return outputFiles[0].text
}

// The names at the top of a module stay, so that stack traces can be read.
const options = {
  absWorkingDir: root,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'inline',
  charset: 'utf8',
  logLevel: 'error',
  tsconfigRaw: '{}',
}
