// The only rule: imports go down the levels or stay in their own folder; folders of one level never import each other. This test reads
// every import of every source file and checks it against the table below.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import typescript from 'typescript'
import { describe, expect, it } from 'vitest'

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const source = join(repository, 'src')

/** Folders of one level do not import each other. `backends` and `resources` contain one such folder per entry. */
const levels: readonly (readonly string[])[] = [
  ['core'],
  ['text', 'search', 'vfs', 'shell', 'codec'],
  ['backends', 'resources'],
  ['session', 'history', 'buffers'],
  ['toolsets', 'git'],
  ['workspace'],
  ['worker', 'adapters', 'editors', 'terminal'],
]
const roomsOfRooms = new Set(['backends', 'toolsets', 'adapters', 'editors'])

/** Allowed against the order, with the reason. */
const exceptions: readonly { readonly from: string; readonly to: string; readonly why: string }[] = [
  { from: 'testing', to: '*', why: 'tests may look anywhere; nothing shipped imports testing' },
  { from: 'index.ts', to: '*', why: 'the public names' },
]

/** `node:*` and vendor libraries, by folder or by the level's name for all of its folders. A folder that is not listed may use neither. */
const vendors: Readonly<Record<string, readonly string[]>> = {
  core: ['@noble/hashes', 'hash-wasm', 'valibot'],
  text: ['diff', '@lezer'],
  search: ['minimatch'],
  vfs: ['minimatch'],
  codec: ['fflate', 'fzstd'],
  'editors/codemirror': ['@codemirror/state', '@codemirror/view'],
  'backends/just-bash': ['@noble/hashes', 'diff', 'fflate', 'modern-tar'],
  'backends/http': ['@noble/hashes'],
  'backends/memfs': ['memfs'],
  'backends/indexeddb': ['idb'],
  'backends/node': [
    'node:fs',
    'node:child_process',
    'node:crypto',
    'node:dns',
    'node:http',
    'node:https',
    'node:net',
    'node:os',
    'node:path',
    'node:stream',
    '@lydell/node-pty',
  ],
  'backends/opfs': ['idb'],
  'backends/quickjs': ['quickjs-wasi'],
  'backends/zip': ['fflate'],
  resources: [
    '@mozilla/readability',
    '@sqlite.org/sqlite-wasm',
    'fflate',
    'fzstd',
    'jpeg-js',
    'json5',
    'linkedom',
    'saxes',
    'turndown',
    'unpdf',
  ],
  git: ['fflate'],
  session: ['valibot'],
  toolsets: ['valibot'],
  workspace: ['fflate'],
  terminal: ['@xterm/xterm'],
  worker: ['comlink', '@webcontainer/api'],
}

interface Import {
  readonly from: string
  readonly specifier: string
}

function specifiersOf(file: string): readonly string[] {
  return typescript.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles.map(found => found.fileName)
}

function sourceFiles(directory: string): readonly string[] {
  return (
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.d.ts'))
      .map(name => name.replaceAll('\\', '/'))
      // Another test writes examples there, and removes them.
      .filter(name => !name.startsWith('testing/.'))
  )
}

const imports: readonly Import[] = sourceFiles(source).flatMap(from =>
  specifiersOf(join(source, from)).map(specifier => ({ from, specifier })),
)

describe('layers', () => {
  it('reads imports at all', () => {
    expect(imports.length).toBeGreaterThan(100)
    expect(findBreach({ from: 'core/path.ts', specifier: '../vfs/vfs.ts' })).toContain('upward')
    expect(findBreach({ from: 'text/diff.ts', specifier: '../search/glob.ts' })).toContain('sibling')
    expect(findBreach({ from: 'backends/memory/index.ts', specifier: '../just-bash/index.ts' })).toContain('sibling')
    expect(findBreach({ from: 'toolsets/atomic/index.ts', specifier: '../../backends/memory/index.ts' })).toContain('backend')
    expect(findBreach({ from: 'vfs/vfs.ts', specifier: 'node:fs' })).toContain('node:fs')
  })

  it('go down or stay at home', () => {
    expect(imports.flatMap(found => findBreach(found) ?? [])).toEqual([])
  })

  it('keep one definition of the helpers that core has', () => {
    const copies = sourceFiles(source).filter(
      file => dirname(file) !== 'core' && /\bfunction (?:isRecord|joinBytes)\b/.test(readFileSync(join(source, file), 'utf8')),
    )
    expect(copies).toEqual([])
  })
  it('keep demo and e2e to the public entries', () => {
    const outside = ['demo', 'e2e'].flatMap(folder =>
      sourceFiles(join(repository, folder)).flatMap(from =>
        specifiersOf(join(repository, folder, from))
          .filter(specifier => /(^|\/)(src|dist)\//.test(specifier))
          .map(specifier => `${folder}/${from}: ${specifier}`),
      ),
    )
    expect(outside).toEqual([])
  })
})

/** A sentence about what is wrong, or `undefined`. */
function findBreach({ from, specifier }: Import): string | undefined {
  const home = roomOf(from)
  if (exceptions.some(exception => exception.from === home.room)) return undefined
  if (!specifier.startsWith('.')) {
    const allowed = vendors[home.inner] ?? vendors[home.room] ?? []
    return allowed.some(name => specifier === name || specifier.startsWith(`${name}/`))
      ? undefined
      : `${from}: ${specifier} is not among the libraries of ${home.inner}`
  }
  const to = relative(source, resolve(source, dirname(from), specifier)).replaceAll('\\', '/')
  const target = roomOf(to)
  if (target.inner === home.inner) return undefined
  const [fromLevel, toLevel] = [levelOf(home.room), levelOf(target.room)]
  if (fromLevel === undefined || toLevel === undefined) return `${from}: ${to} is in a room that the table does not know`
  if (toLevel > fromLevel) return `${from}: upward import of ${to}`
  if (toLevel === fromLevel) return `${from}: sibling import of ${to}`
  if (home.room === 'toolsets' && target.room === 'backends') return `${from}: a toolset imports the backend ${to}`
  return undefined
}

function roomOf(file: string): { readonly room: string; readonly inner: string } {
  const [room = '', inner = ''] = file.split('/')
  return { room, inner: roomsOfRooms.has(room) ? `${room}/${inner}` : room }
}

function levelOf(room: string): number | undefined {
  const level = levels.findIndex(rooms => rooms.includes(room))
  return level === -1 ? undefined : level
}
