// `git archive`: the files of a tree as a tar or zip archive.

import { gzipSync } from 'fflate'

import { joinBytes } from '../../core/bytes.ts'
import { emptyZip, type NewZipEntry, rewriteZip } from '../../codec/zip/rewrite.ts'
import { decodeText, encodeText } from '../../shell/byte-text.ts'
import { fatal, GitFailure } from '../errors.ts'
import type { Repository } from '../repository.ts'
import { peel, resolveRevision } from '../revs/revision.ts'
import { diffTrees } from '../diff/tree-diff.ts'
import { modes, type ObjectId } from '../store/object-format.ts'
import { parsePathspec } from '../work/pathspec.ts'
import type { GitCommand } from './command.ts'

interface Entry {
  readonly path: string
  readonly mode: number
  readonly content: Uint8Array
}

const blockBytes = 512
const recordBytes = 20 * blockBytes
const formats = ['tar', 'tgz', 'tar.gz', 'zip'] as const
type Format = (typeof formats)[number]

export const archive: GitCommand = {
  name: 'archive',
  summary: 'Create an archive of files from a named tree',
  options: {
    rows: [
      { names: ['format'], argument: { name: 'fmt' } },
      { names: ['prefix'], argument: { name: 'prefix' } },
      { names: ['o', 'output'], argument: { name: 'file' } },
      { names: ['l', 'list'] },
      { names: ['v', 'verbose'] },
      { names: ['add-file'], argument: { name: 'file' }, refuses: 'adding untracked files is not built into this git' },
      { names: ['add-virtual-file'], argument: { name: 'path:content' }, refuses: 'adding files is not built into this git' },
      { names: ['worktree-attributes'], refuses: 'it is not built into this git' },
      { names: ['remote'], argument: { name: 'repo' }, refuses: 'archives of a server are not built into this git' },
      { names: ['exec'], argument: { name: 'command' }, refuses: 'it is not built into this git' },
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(level => ({ names: [String(level)], key: 'level', value: String(level) })),
    ],
    usage: 'git archive [<options>] <tree-ish> [<path>...]\n   or: git archive --list',
  },
  async run(call, options) {
    if (options.has('list')) {
      await call.print(formats.join('\n'))
      return 0
    }
    const repository = await call.repository()
    const [word, ...paths] = options.all
    if (word === undefined) throw new GitFailure(`usage: ${archive.options.usage}\n`, 129)
    const revision = await resolveRevision(repository, word)
    if (revision === undefined) throw fatal(`not a valid object name: ${word}`)
    const commit = await peel(repository, revision.oid, 'commit')
    const tree = await subtree(repository, await peel(repository, revision.oid, 'tree'), word)
    const output = options.value('output')
    const format = options.value('format') ?? formats.find(name => output?.endsWith(`.${name}`)) ?? 'tar'
    if (!isFormat(format)) throw fatal(`Unknown archive format '${format}'`)
    const time = commit === undefined ? call.now : (await repository.objects.readCommit(commit)).committer.time
    const entries = await entriesOf(repository, tree, options.value('prefix') ?? '', paths)
    const level = Number(options.value('level') ?? 6) as NewZipEntry['level']
    const bytes = format === 'zip' ? zipOf(entries, time, commit, level) : tarOf(entries, time, commit)
    if (options.has('verbose')) for (const { path } of entries) await call.warn(path)
    const packed = format === 'tgz' || format === 'tar.gz' ? gzipSync(bytes, { level: level ?? 6, mtime: 0 }) : bytes
    if (output === undefined) await call.out.write(packed)
    else await repository.files.write(output.startsWith('/') ? output : `${call.environment.cwd}/${output}`, packed)
    return 0
  },
}

function isFormat(text: string): text is Format {
  return formats.some(format => format === text)
}

/** Only the files below the working directory, as in git. */
async function subtree(repository: Repository, tree: ObjectId | undefined, word: string): Promise<ObjectId> {
  if (tree === undefined) throw fatal(`not a tree object: ${word}`)
  let at = tree
  for (const name of repository.prefix.split('/').filter(Boolean)) {
    const entry = (await repository.objects.readTree(at)).find(row => row.name === name && row.mode === modes.tree)
    if (entry === undefined) throw fatal('current working directory is untracked')
    at = entry.oid
  }
  return at
}

async function entriesOf(
  repository: Repository,
  tree: ObjectId,
  prefix: string,
  paths: readonly string[],
): Promise<readonly Entry[]> {
  const pathspec = parsePathspec(repository, paths)
  const attributes = repository.attributes()
  const found: Entry[] = []
  const hidden: string[] = []
  const matched = new Set<string>()
  if (prefix.endsWith('/')) found.push({ path: prefix, mode: modes.tree, content: new Uint8Array() })
  const rows = (await diffTrees(repository, undefined, tree, { showTrees: true })).toSorted((a, b) =>
    treeKey(a) < treeKey(b) ? -1 : 1,
  )
  const directories: Entry[] = []
  for (const { path, after } of rows) {
    if (after === undefined || hidden.some(base => path.startsWith(base))) continue
    const own = repository.prefix + path
    const values = await attributes.of(own)
    if (values.get('export-ignore') === true) {
      hidden.push(`${path}/`)
      continue
    }
    if (after.mode === modes.tree) {
      directories.push({ path: `${path}/`, mode: after.mode, content: new Uint8Array() })
      continue
    }
    if (!pathspec.isEmpty && !pathspec.matches(own)) continue
    matched.add(own)
    if (after.mode === modes.submodule) throw fatal(`${path}: archives with submodules are not built into this git`)
    let content = await repository.objects.readBlob(after.oid)
    if (values.get('export-subst') === true && decodeText(content).includes('$Format:'))
      throw fatal(`${path}: the attribute export-subst is not built into this git`)
    if (after.mode !== modes.symlink)
      content = repository.isBare ? content : await (await repository.workTree()).smudge(own, content, after.oid)
    while (directories.length > 0) {
      const [first] = directories
      if (first === undefined) break
      directories.shift()
      if (path.startsWith(first.path)) found.push({ ...first, path: prefix + first.path })
    }
    found.push({ path: prefix + path, mode: after.mode, content })
  }
  const [missing] = pathspec.unmatched(matched)
  if (missing !== undefined) throw fatal(`pathspec '${missing}' did not match any files`)
  return found
}

function treeKey({ path, after }: { readonly path: string; readonly after: { readonly mode: number } | undefined }): string {
  return after?.mode === modes.tree ? `${path}/` : path
}

function tarOf(entries: readonly Entry[], time: number, commit: ObjectId | undefined): Uint8Array {
  const parts: Uint8Array[] = []
  let size = 0
  const add = (header: Uint8Array, content: Uint8Array): void => {
    const rest = (blockBytes - (content.length % blockBytes)) % blockBytes
    parts.push(header, content, new Uint8Array(rest))
    size += header.length + content.length + rest
  }
  if (commit !== undefined) {
    const record = encodeText(paxRecord('comment', commit))
    add(tarHeader({ name: 'pax_global_header', mode: 0o666, size: record.length, time, type: 'g', link: '' }), record)
  }
  for (const { path, mode, content } of entries) {
    const isLink = mode === modes.symlink
    const target = isLink ? decodeText(content) : ''
    const split = splitName(path)
    const records =
      (split === undefined ? paxRecord('path', path) : '') + (content.length > 100 && isLink ? paxRecord('linkpath', target) : '')
    const permissions = mode === modes.tree || mode === modes.executable ? 0o775 : isLink ? 0o777 : 0o664
    if (records !== '') {
      const bytes = encodeText(records)
      const name = `${'0'.repeat(40)}.paxheader`
      add(tarHeader({ name, mode: 0o666, size: bytes.length, time, type: 'x', link: '' }), bytes)
    }
    const [prefix, name] = split ?? ['', `${'0'.repeat(40)}.data`]
    const type = mode === modes.tree ? '5' : isLink ? '2' : '0'
    const size_ = isLink ? 0 : content.length
    add(
      tarHeader({
        name,
        prefix,
        mode: permissions,
        size: size_,
        time,
        type,
        link: isLink && content.length > 100 ? 'see longlink' : target,
      }),
      isLink ? new Uint8Array() : content,
    )
  }
  const end = Math.ceil((size + 2 * blockBytes) / recordBytes) * recordBytes
  parts.push(new Uint8Array(end - size))
  return joinBytes(parts)
}

function paxRecord(key: string, value: string): string {
  const body = ` ${key}=${value}\n`
  const bytes = encodeText(body).length
  let length = bytes + 1
  while (String(length).length + bytes !== length) length = String(length).length + bytes
  return `${length}${body}`
}

/** A name of more than 100 bytes is split at a slash; `undefined` if it does not fit. */
function splitName(path: string): readonly [prefix: string, name: string] | undefined {
  if (encodeText(path).length <= 100) return ['', path]
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)]
    if (encodeText(prefix).length <= 155 && encodeText(name).length <= 100 && name !== '') return [prefix, name]
  }
  return undefined
}

interface TarHeader {
  readonly name: string
  readonly prefix?: string
  readonly mode: number
  readonly size: number
  readonly time: number
  readonly type: string
  readonly link: string
}

function tarHeader({ name, prefix = '', mode, size, time, type, link }: TarHeader): Uint8Array {
  const header = new Uint8Array(blockBytes)
  const put = (at: number, text: string): void => header.set(encodeText(text), at)
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
  put(0, name)
  put(100, octal(mode, 7))
  put(108, octal(0, 7))
  put(116, octal(0, 7))
  put(124, octal(size, 11))
  put(136, octal(time, 11))
  put(148, ' '.repeat(8))
  put(156, type)
  put(157, link)
  put(257, 'ustar\0' + '00')
  put(265, 'root')
  put(297, 'root')
  put(329, octal(0, 7))
  put(337, octal(0, 7))
  put(345, prefix)
  put(
    148,
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    )}\0`,
  )
  return header
}

function zipOf(entries: readonly Entry[], time: number, commit: ObjectId | undefined, level: NewZipEntry['level']): Uint8Array {
  const added = entries.map(({ path, mode, content }): NewZipEntry => {
    const kind = mode === modes.tree ? 'directory' : mode === modes.symlink ? 'symlink' : 'file'
    const permissions = kind === 'directory' || mode === modes.executable ? 0o755 : kind === 'symlink' ? 0o777 : 0o644
    return { name: path, content, mtimeMs: time * 1000, mode: permissions, kind, level: kind === 'file' ? level : 0 }
  })
  const comment = commit === undefined ? new Uint8Array() : encodeText(commit)
  return rewriteZip(new Uint8Array(), { ...emptyZip, comment }, { replaced: new Map(), added })
}
