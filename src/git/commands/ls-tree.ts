// `git ls-tree`.

import { fatal } from '../errors.ts'
import { quoteFor, relativePath } from '../quote.ts'
import { needTree } from '../revs/revision.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { modes, typeOfMode } from '../store/object-format.ts'
import type { GitCommand } from './command.ts'

export const lsTree: GitCommand = {
  name: 'ls-tree',
  summary: 'List the contents of a tree object',
  options: {
    rows: [
      { names: ['d'], key: 'only-trees' },
      { names: ['r'], key: 'recursive' },
      { names: ['t'], key: 'show-trees' },
      { names: ['z'] },
      { names: ['l', 'long'] },
      { names: ['name-only', 'name-status'], key: 'name-only' },
      { names: ['object-only'] },
      { names: ['full-name'] },
      { names: ['full-tree'] },
      { names: ['abbrev'], argument: { name: 'n', isOptional: true } },
      { names: ['format'], argument: { name: 'format' } },
    ],
    usage: 'git ls-tree [<options>] <tree-ish> [<path>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const [revision, ...paths] = options.all
    if (revision === undefined) throw fatal('usage: git ls-tree [<options>] <tree-ish> [<path>...]', 129)
    const tree = await needTree(repository, revision, `Not a valid object name ${revision}`)
    const base = options.has('full-tree') ? '' : repository.prefix
    const shownPrefix = options.has('full-name') ? '' : base
    const wanted = paths.map(path => ({ path: normal(base + path), isInside: path.endsWith('/') }))
    const isRecursive = options.has('recursive')
    const ids = new ShortIds(repository)
    const end = options.has('z') ? '\0' : '\n'
    const quote = options.has('z') ? (path: string): string => path : quoteFor(repository.config())
    const format = options.value('format')
    const isMatch = (path: string, isTree: boolean): 'row' | 'enter' | 'no' => {
      const below = base.replace(/\/$/, '')
      if (wanted.length === 0) {
        if (below === '' || path.startsWith(base)) return 'row'
        return isTree && (below === path || below.startsWith(`${path}/`)) ? 'enter' : 'no'
      }
      for (const { path: want, isInside } of wanted) {
        if (want === '' || path.startsWith(`${want}/`)) return 'row'
        if (path === want) return isInside && isTree ? 'enter' : 'row'
        if (isTree && want.startsWith(`${path}/`)) return 'enter'
      }
      return 'no'
    }
    const list = async (oid: string, prefix: string): Promise<void> => {
      for (const entry of await repository.objects.readTree(oid)) {
        const path = prefix + entry.name
        const isTree = entry.mode === modes.tree
        const verdict = isMatch(path, isTree)
        if (verdict === 'no') continue
        const enters = isTree && (verdict === 'enter' || isRecursive)
        const isShown =
          verdict === 'enter'
            ? options.has('show-trees')
            : enters
              ? options.has('show-trees') || options.has('only-trees')
              : !options.has('only-trees') || isTree
        if (isShown) await call.out.write((await row(path, entry)) + end)
        if (enters) await list(entry.oid, `${path}/`)
      }
    }
    const row = async (path: string, { mode, oid }: { readonly mode: number; readonly oid: string }): Promise<string> => {
      const name = quote(relativePath(path, shownPrefix))
      const abbrev = options.value('abbrev')
      const id = options.has('abbrev') ? await ids.of(oid, abbrev === undefined ? undefined : Number(abbrev)) : oid
      const octal = mode.toString(8).padStart(6, '0')
      if (format !== undefined) {
        const size = mode === modes.tree ? '-' : String((await repository.objects.readBlob(oid)).length)
        const fields: Readonly<Record<string, string>> = {
          objectmode: octal,
          objecttype: typeOfMode(mode),
          objectname: id,
          path: name,
          objectsize: size,
          'objectsize:padded': size.padStart(7),
        }
        return format
          .replaceAll(/%\(([^)]+)\)/g, (whole, field: string) => fields[field] ?? whole)
          .replaceAll(/%x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      }
      if (options.has('name-only')) return name
      if (options.has('object-only')) return id
      const size = options.has('long')
        ? ` ${(typeOfMode(mode) === 'blob' ? String((await repository.objects.readBlob(oid)).length) : '-').padStart(7)}`
        : ''
      return `${octal} ${typeOfMode(mode)} ${id}${size}\t${name}`
    }
    await list(tree, '')
    return 0
  },
}

function normal(path: string): string {
  const kept: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') kept.pop()
    else if (name !== '' && name !== '.') kept.push(name)
  }
  return kept.join('/')
}
