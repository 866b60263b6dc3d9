// `anchorage/adapters/deepagents`: a workspace as the filesystem and the shell of a deepagents agent. Nothing of the SDK is imported.

import { checkWorkspace } from '../../core/adapted-call.ts'
import { checkOptions } from '../../core/argument.ts'
import type { Actor } from '../../core/actor.ts'
import { AnchorageError } from '../../core/errors.ts'
import { dirname, parsePath, type VfsPath } from '../../core/path.ts'
import { compileGlob } from '../../search/glob.ts'
import { isVfsError } from '../../vfs/error.ts'
import { leadsInside } from '../../workspace/leads-inside.ts'
import { openCommands } from '../../workspace/sandbox-commands.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** An entry of a listing; a directory's path ends in '/'. */
export interface DeepagentsFile {
  path: string
  is_dir?: boolean
  /** In bytes. */
  size?: number
  /** ISO 8601. */
  modified_at?: string
}

/** The errors of uploading or downloading a file. */
export type DeepagentsFileError = 'file_not_found' | 'permission_denied' | 'is_directory' | 'invalid_path'

/** What deepagents calls `SandboxBackendProtocolV2`. */
export interface DeepagentsBackend {
  readonly id: string
  ls(path: string): Promise<{ files?: DeepagentsFile[]; error?: string }>
  /** `offset` is a 0-based line. Bytes that are not text are returned whole. */
  read(
    filePath: string,
    offset?: number,
    limit?: number,
  ): Promise<{
    content?: string | Uint8Array
    mimeType?: string
    totalLines?: number
    startLine?: number
    endLine?: number
    nextOffset?: number
    error?: string
  }>
  readRaw(filePath: string): Promise<{
    data?: { content: string | Uint8Array; mimeType: string; created_at: string; modified_at: string }
    error?: string
  }>
  write(filePath: string, content: string): Promise<{ path?: string; filesUpdate?: null; error?: string }>
  edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean,
  ): Promise<{ path?: string; filesUpdate?: null; occurrences?: number; error?: string }>
  delete(filePath: string): Promise<{ path?: string; filesUpdate?: null; error?: string }>
  /** `pattern` is plain text, not a regular expression. */
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<{ matches?: { path: string; line: number; text: string }[]; truncated?: boolean; error?: string }>
  glob(pattern: string, path?: string): Promise<{ files?: DeepagentsFile[]; truncated?: boolean; error?: string }>
  uploadFiles(files: [path: string, content: Uint8Array][]): Promise<{ path: string; error: DeepagentsFileError | null }[]>
  downloadFiles(paths: string[]): Promise<{ path: string; content: Uint8Array | null; error: DeepagentsFileError | null }[]>
  /** Both streams combined, and the exit code. */
  execute(command: string): Promise<{ output: string; exitCode: number | null; truncated: boolean }>
}

/** Options of `deepagentsBackend`. */
export interface DeepagentsOptions {
  /** Who changes files through it; default an agent. */
  readonly actor?: Actor | undefined
  /** Default `anchorage`. */
  readonly id?: string | undefined
}

const defaultLines = 500
const maxMatches = 1000
const maxFiles = 5000
const maxSearchedBytes = 4 * 1024 * 1024
const maxOutputCharacters = 200_000
/** The number of attempts to apply an edit while others change the file. */
const maxAttempts = 20
const pruned = ['.git', 'node_modules']

/**
 * A workspace as deepagents' backend: `createDeepAgent({ backend: deepagentsBackend(workspace) })`. Files and commands use the
 * workspace's paths; paths outside of it are refused.
 *
 * Commands go through the `bash` tool, so the workspace's policy applies to them. Files are the host's own
 * `workspace.as(actor).fs`, to which no policy applies. As the protocol requires, failures are returned in `error` and never
 * thrown. `grep` and `glob` skip `.git`, `node_modules`, and files that are not text or larger than 4 MiB.
 *
 * @example
 * import { createWorkspace } from 'anchorage'
 * import { deepagentsBackend } from 'anchorage/adapters/deepagents'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({ 'a.txt': 'hello\n' }) })
 * const backend = deepagentsBackend(workspace)
 * console.log(await backend.read('/workspace/a.txt'))
 * // createDeepAgent({ model, backend })
 */
export function deepagentsBackend(workspace: Workspace, options: DeepagentsOptions = {}): DeepagentsBackend {
  checkWorkspace('deepagentsBackend', workspace)
  checkOptions('deepagentsBackend', options, { actor: 1, id: 1 })
  const actor = options.actor ?? { kind: 'agent' }
  const { fs } = workspace.as(actor)
  const commands = openCommands(workspace, actor)
  const { root } = workspace

  const outside = (path: string): AnchorageError =>
    new AnchorageError('deepagents-path', `${path} is outside the workspace. Next: use a path below ${root}.`)
  /** The path as the agent wrote it, without resolved links, because the agent knows only that one. */
  const inside = async (path: string): Promise<VfsPath> => {
    const given = path === '/' ? root : path
    if (given.startsWith('/') && (await leadsInside(fs, root, given))) return parsePath(given)
    throw outside(path)
  }
  const infoOf = async (path: string, isDirectory: boolean): Promise<DeepagentsFile> => {
    const { sizeBytes, mtimeMs } = await fs.lstat(path)
    return {
      path: isDirectory ? `${path}/` : path,
      is_dir: isDirectory,
      size: isDirectory ? 0 : sizeBytes,
      modified_at: new Date(mtimeMs).toISOString(),
    }
  }

  async function* filesBelow(path: string | null | undefined, glob: string | null | undefined): AsyncGenerator<string> {
    const base = await inside(path ?? '/')
    const compiled = glob === null || glob === undefined ? undefined : compileGlob(withDirectories(glob))
    if (compiled?.kind === 'error') throw new AnchorageError('deepagents-glob', compiled.message)
    if ((await fs.stat(base)).kind === 'file') {
      yield base
      return
    }
    for await (const entry of fs.walk(base, { prune: pruned })) {
      const relative = entry.path.slice(base === '/' ? 1 : base.length + 1)
      if (entry.kind === 'file' && compiled?.matches(relative) !== false) yield entry.path
    }
  }

  const write = async (path: string, content: Uint8Array | string): Promise<void> => {
    await fs.mkdir(dirname(parsePath(path)), { recursive: true })
    await fs.writeFile(path, content)
  }

  return {
    id: options.id ?? 'anchorage',
    ls: path =>
      told(async () => {
        const directory = await inside(path)
        const entries = await fs.readdir(directory)
        const at = directory === '/' ? '' : directory
        return { files: await Promise.all(entries.map(({ name, kind }) => infoOf(`${at}/${name}`, kind === 'directory'))) }
      }),
    read: (filePath, offset = 0, limit = defaultLines) =>
      told(async () => {
        const bytes = await fs.readFile(await inside(filePath))
        const text = textOrNothing(bytes)
        if (text === undefined) return { content: bytes, mimeType: 'application/octet-stream' }
        const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
        const start = Math.max(0, offset)
        if (start > 0 && start >= lines.length)
          return { error: `${filePath} has ${lines.length} lines; the offset ${offset} is behind them.` }
        const end = Math.min(lines.length, start + limit)
        return {
          content: lines.slice(start, end).join(''),
          mimeType: 'text/plain',
          totalLines: lines.length,
          ...(lines.length > 0 && { startLine: start + 1, endLine: end }),
          ...(end < lines.length && { nextOffset: end }),
        }
      }),
    readRaw: filePath =>
      told(async () => {
        const path = await inside(filePath)
        const bytes = await fs.readFile(path)
        const modified = new Date((await fs.stat(path)).mtimeMs).toISOString()
        const text = textOrNothing(bytes)
        const mimeType = text === undefined ? 'application/octet-stream' : 'text/plain'
        return { data: { content: text ?? bytes, mimeType, created_at: modified, modified_at: modified } }
      }),
    write: (filePath, content) =>
      told(async () => {
        await write(await inside(filePath), content)
        return { path: filePath, filesUpdate: null }
      }),
    edit: (filePath, oldString, newString, replaceAll = false) =>
      told(async () => {
        const path = await inside(filePath)
        if (oldString === '') return { error: 'The text to replace is empty; give text that is in the file.' }
        for (let attempt = 1; ; attempt += 1) {
          const { text, rev } = await fs.read(path)
          const parts = text.split(oldString)
          const occurrences = parts.length - 1
          if (occurrences === 0) return { error: `The text to replace is not in ${filePath}; read it again.` }
          if (occurrences > 1 && !replaceAll)
            return { error: `The text to replace occurs ${occurrences} times in ${filePath}; give more of it, or replace all.` }
          try {
            await fs.writeFile(path, parts.join(newString), { ifRev: rev })
            return { path: filePath, filesUpdate: null, occurrences }
          } catch (error) {
            // Agents edit one file several times concurrently, so the edit is checked again with the newer text.
            if (attempt === maxAttempts || !isVfsError(error, 'ESTALE')) throw error
          }
        }
      }),
    delete: filePath =>
      told(async () => {
        const path = parsePath(filePath)
        // This removes a link and not its target, so the directory of the link decides.
        if (path === '/' || path.endsWith('/..') || !(await leadsInside(fs, root, dirname(path)))) throw outside(filePath)
        await fs.rm(path, { recursive: true })
        return { path: filePath, filesUpdate: null }
      }),
    grep: (pattern, path, glob, maxCount) =>
      told(async () => {
        const most = Math.min(maxCount ?? maxMatches, maxMatches)
        const matches: { path: string; line: number; text: string }[] = []
        if (pattern === '') return { error: 'The text to search for is empty.' }
        for await (const file of filesBelow(path, glob)) {
          const { sizeBytes } = await fs.stat(file)
          const text = sizeBytes > maxSearchedBytes ? undefined : textOrNothing(await fs.readFile(file))
          if (text === undefined || !text.includes(pattern)) continue
          for (const [index, line] of text.split('\n').entries()) {
            if (!line.includes(pattern)) continue
            if (matches.length >= most) return { matches, truncated: true }
            matches.push({ path: file, line: index + 1, text: line.replace(/\r$/, '') })
          }
        }
        return { matches }
      }),
    glob: (pattern, path) =>
      told(async () => {
        const files: DeepagentsFile[] = []
        for await (const file of filesBelow(path, pattern)) {
          if (files.length >= maxFiles) return { files, truncated: true }
          files.push(await infoOf(file, false))
        }
        return { files }
      }),
    uploadFiles: files =>
      Promise.all(
        files.map(async ([path, content]) => ({
          path,
          error: await faultOf(async () => await write(await inside(path), content)),
        })),
      ),
    downloadFiles: paths =>
      Promise.all(
        paths.map(async path => {
          let content: Uint8Array | null = null
          const error = await faultOf(async () => {
            content = await fs.readFile(await inside(path))
          })
          return { path, content, error }
        }),
      ),
    async execute(command) {
      const { stdout, stderr, exitCode } = await commands.run({ command })
      const output = stderr === '' ? stdout : `${stdout}${stdout === '' || stdout.endsWith('\n') ? '' : '\n'}${stderr}`
      const truncated = output.length > maxOutputCharacters
      return { output: truncated ? output.slice(-maxOutputCharacters) : output, exitCode, truncated }
    },
  }
}

/** As in the agent's other backends, a pattern without a directory applies to every directory. */
function withDirectories(glob: string): string {
  const plain = glob.replace(/^\/+/, '')
  return plain.includes('/') ? plain : `**/${plain}`
}

function textOrNothing(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, 8192).includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Returns an error that the agent can correct as a part of the answer. */
async function told<T extends object>(work: () => Promise<T>): Promise<T | { error: string }> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AnchorageError || isVfsError(error)) return { error: error.message }
    throw error
  }
}

async function faultOf(work: () => Promise<void>): Promise<DeepagentsFileError | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof AnchorageError && error.code === 'deepagents-path') return 'invalid_path'
    if (isVfsError(error, 'ENOENT')) return 'file_not_found'
    if (isVfsError(error, 'EISDIR')) return 'is_directory'
    if (isVfsError(error, 'EACCES', 'EPERM', 'EROFS')) return 'permission_denied'
    if (isVfsError(error)) return 'invalid_path'
    throw error
  }
}
