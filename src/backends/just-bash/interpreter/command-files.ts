// The files that one command of a shell sees: the workspace and a few virtual files of Unix (`/dev/null`, `/dev/stdin`, the names
// of commands in `/bin`). Real files take precedence, and listings never include virtual files.

import { PendingInput } from '../../../shell/commands.ts'
import {
  resolveFrom,
  type Awaitable,
  type DeviceNumbers,
  type FileEntry,
  type FileStat,
  type ShellFiles,
} from '../../../shell/files.ts'
import { nullFile, outputFile, refuseWriting, type Descriptors, type OpenFile } from './descriptors.ts'
import type { Run } from './run.ts'
import { codeOf, errno } from '../errno.ts'
import { physicalFiles } from '../physical-files.ts'
import { isProgramName, programNames } from './program-names.ts'

/** The device that symbolic links at `path` lead to. */
export async function deviceBehind(path: string, owner: FilesOwner): Promise<string | undefined> {
  const { files } = owner.run
  for (let at = path, hops = 0; hops < 40; hops++) {
    if (virtualAt(at, owner)?.kind === 'device') return at
    try {
      if ((await files.lstat(at)).kind !== 'symlink') return undefined
      at = resolveFrom(await files.realpath(at.slice(0, at.lastIndexOf('/')) || '/'), await files.readlink(at))
    } catch {
      return undefined
    }
  }
  return undefined
}

export interface FilesOwner {
  readonly run: Run
  readonly descriptors: Descriptors
  readonly umask: number
}

type Virtual =
  | { readonly kind: 'device'; readonly open: (owner: FilesOwner) => OpenFile | undefined }
  | { readonly kind: 'directory'; readonly names: (owner: FilesOwner) => readonly string[] }
  | { readonly kind: 'program'; readonly name: string }

const zeros = new Uint8Array(16 * 1024)
const devices: Readonly<Record<string, (owner: FilesOwner) => OpenFile | undefined>> = {
  '/dev/null': () => nullFile,
  '/dev/zero': () => endless(() => zeros),
  '/dev/full': () => ({
    ...endless(() => zeros),
    write: () => Promise.reject(errno('ENOSPC', 'no space left on device', '/dev/full')),
  }),
  '/dev/random': () => endless(randomPart),
  '/dev/urandom': () => endless(randomPart),
  '/dev/stdin': ({ descriptors }) => descriptors.get(0)?.file,
  '/dev/stdout': ({ descriptors }) => descriptors.get(1)?.file,
  '/dev/stderr': ({ descriptors }) => descriptors.get(2)?.file,
}

/** What is a link on Linux. */
const streamLinks: Readonly<Record<string, string>> = {
  '/dev/stdin': '/proc/self/fd/0',
  '/dev/stdout': '/proc/self/fd/1',
  '/dev/stderr': '/proc/self/fd/2',
}

/** The numbers that Linux gives them. */
const deviceNumbers: Readonly<Record<string, DeviceNumbers>> = {
  '/dev/null': [1, 3],
  '/dev/zero': [1, 5],
  '/dev/full': [1, 7],
  '/dev/random': [1, 8],
  '/dev/urandom': [1, 9],
}

function randomPart(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(4096))
}

function endless(part: () => Uint8Array): OpenFile {
  return { ...outputFile(() => undefined, 'device'), canRead: true, read: part }
}

const directories: Readonly<Record<string, (owner: FilesOwner) => readonly string[]>> = {
  '/dev': () => ['fd', 'full', 'null', 'random', 'stderr', 'stdin', 'stdout', 'urandom', 'zero'],
  '/dev/fd': () => [],
  '/usr': () => [],
  '/bin': ({ run }) => programNames(run.commands),
  '/usr/bin': ({ run }) => programNames(run.commands),
  '/tmp': () => [],
}

function virtualAt(path: string, owner: FilesOwner): Virtual | undefined {
  const first = path.charCodeAt(1)
  // A quick test: only paths in /bin, /dev, /tmp and /usr can be virtual.
  if (first !== 98 && first !== 100 && first !== 116 && first !== 117) return undefined
  const open = devices[path]
  if (open !== undefined) return { kind: 'device', open }
  const names = directories[path]
  if (names !== undefined) return { kind: 'directory', names }
  const descriptor = /^\/dev\/fd\/(\d+)$/.exec(path)
  if (descriptor !== null)
    return {
      kind: 'device',
      open: ({ run, descriptors }) => (run.named.get(path) ?? descriptors.get(Number(descriptor[1])))?.file,
    }
  const program = /^(?:\/usr)?\/bin\/([^/]+)$/.exec(path)?.[1]
  return program !== undefined && isProgramName(program, owner.run.commands) ? { kind: 'program', name: program } : undefined
}

/** The stream for a redirection to a device; `undefined` if `path` is a file of the workspace. */
export function openDevice(path: string, owner: FilesOwner): OpenFile | undefined {
  const virtual = virtualAt(path, owner)
  if (virtual?.kind !== 'device') return undefined
  const file = virtual.open(owner)
  if (file === undefined) throw errno('ENOENT', 'no such file or directory', path)
  return file
}

class CommandFiles implements ShellFiles {
  readonly owner: FilesOwner
  readonly #files: ShellFiles

  constructor(owner: FilesOwner) {
    this.owner = owner
    this.#files = owner.run.files
  }

  readFile(path: string, range: { readonly start?: number; readonly end?: number } = {}): Awaitable<Uint8Array> {
    const virtual = virtualAt(path, this.owner)
    if (virtual === undefined)
      return this.#orBehindLinks(
        path,
        () => this.#files.readFile(path, range),
        device => this.readFile(device, range),
      )
    if (virtual.kind === 'device') return this.#readDevice(path, virtual, range)
    return this.#orVirtual(
      () => this.#files.readFile(path, range),
      () => contentOf(virtual, path),
    )
  }

  async #readDevice(
    path: string,
    virtual: Extract<Virtual, { kind: 'device' }>,
    { start = 0, end }: { readonly start?: number; readonly end?: number },
  ): Promise<Uint8Array> {
    const file = virtual.open(this.owner)
    if (file === undefined) throw errno('ENOENT', 'no such file or directory', path)
    if (file.kind === 'device' && end === undefined)
      throw errno('EINVAL', 'this device has no end; read it with head -c or dd', path)
    const pending = new PendingInput()
    let size = 0
    while (end === undefined || size < end) {
      const part = await file.read()
      if (part === undefined) break
      pending.add(part)
      size += part.length
    }
    const all = pending.take()
    // The bytes after `end` remain for the next reader.
    if (end !== undefined && all.length > end) file.unread(all.slice(end))
    return all.subarray(start, end)
  }

  async writeFile(path: string, data: Uint8Array, options: Parameters<ShellFiles['writeFile']>[2] = {}): Promise<unknown> {
    const virtual = virtualAt(path, this.owner)
    if (virtual?.kind === 'device') {
      const file = virtual.open(this.owner)
      if (file === undefined) throw errno('ENOENT', 'no such file or directory', path)
      return file.canWrite ? file.write(data) : refuseWriting()
    }
    await this.#makeTemporary(path)
    return this.#orBehindLinks(
      path,
      () => this.#writeReal(path, data, options),
      device => this.writeFile(device, data, options),
    )
  }

  #writeReal(path: string, data: Uint8Array, options: Parameters<ShellFiles['writeFile']>[2] = {}): Awaitable<unknown> {
    return this.#files.writeFile(path, data, { ...options, mode: options.mode ?? 0o666 & ~this.owner.umask })
  }

  stat(path: string): Awaitable<FileStat> {
    const virtual = virtualAt(path, this.owner)
    if (virtual === undefined)
      return this.#orBehindLinks(
        path,
        () => this.#files.stat(path),
        device => this.stat(device),
      )
    return this.#orVirtual(
      () => this.#files.stat(path),
      () => this.#statOf(virtual, path),
    )
  }

  lstat(path: string): Awaitable<FileStat> {
    const virtual = virtualAt(path, this.owner)
    if (virtual === undefined) return this.#files.lstat(path)
    return this.#orVirtual(
      () => this.#files.lstat(path),
      async (): Promise<FileStat> => {
        const found = await this.#statOf(virtual, path)
        return streamLinks[path] === undefined ? found : { ...found, kind: 'symlink', mode: 0o777, isPipe: false }
      },
    )
  }

  exists(path: string): Awaitable<boolean> {
    const virtual = virtualAt(path, this.owner)
    if (virtual === undefined) return this.#existsOrDevice(path)
    return virtual.kind !== 'device' || virtual.open(this.owner) !== undefined
  }

  readdir(path: string): Awaitable<readonly FileEntry[]> {
    const virtual = virtualAt(path, this.owner)
    if (virtual === undefined) return this.#files.readdir(path)
    return this.#orVirtual(
      () => this.#files.readdir(path),
      () => {
        if (virtual.kind !== 'directory') throw errno('ENOTDIR', 'not a directory', path)
        return virtual.names(this.owner).map(name => ({ name, kind: 'file' as const }))
      },
    )
  }

  async mkdir(path: string, options: Parameters<ShellFiles['mkdir']>[1] = {}): Promise<void> {
    await this.#makeTemporary(path)
    await this.#files.mkdir(path, { ...options, mode: options.mode ?? 0o777 & ~this.owner.umask })
  }

  async rm(path: string, options?: Parameters<ShellFiles['rm']>[1]): Promise<void> {
    const virtual = virtualAt(path, this.owner)
    if (virtual !== undefined && virtual.kind !== 'directory') this.#refuseDevice(virtual, path)
    await this.#files.rm(path, options)
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#makeTemporary(to)
    await this.#files.rename(from, to)
  }

  async link(existing: string, path: string): Promise<void> {
    await this.#makeTemporary(path)
    await this.#files.link(existing, path)
  }

  async symlink(target: string, path: string): Promise<void> {
    await this.#makeTemporary(path)
    await this.#files.symlink(target, path)
  }

  readlink(path: string): Awaitable<string> {
    const target = streamLinks[path]
    return target === undefined
      ? this.#files.readlink(path)
      : this.#orVirtual(
          () => this.#files.readlink(path),
          () => target,
        )
  }

  realpath(path: string): Awaitable<string> {
    const virtual = virtualAt(path, this.owner)
    if (virtual === undefined) return this.#files.realpath(path)
    return this.#orVirtual(
      () => this.#files.realpath(path),
      () => path,
    )
  }

  async chmod(path: string, mode: number): Promise<void> {
    const virtual = virtualAt(path, this.owner)
    if (virtual?.kind === 'device') this.#refuseDevice(virtual, path)
    await this.#files.chmod(path, mode)
  }

  async utimes(path: string, mtimeMs: number, atimeMs?: number): Promise<void> {
    // `touch /dev/null` is common and harmless.
    if (virtualAt(path, this.owner)?.kind === 'device') return
    await this.#files.utimes(path, mtimeMs, atimeMs)
  }

  #refuseDevice(virtual: Virtual, path: string): void {
    if (virtual.kind === 'device') throw errno('EPERM', 'operation not permitted', path)
  }

  /** `/tmp` is created when something is first stored there. */
  #makeTemporary(path: string): Awaitable<void> {
    if (path.startsWith('/tmp/')) return makeTemporary(this.#files)
  }

  /** What `real` gives, or with a link to a device, which the files do not have, what `virtual` gives. */
  #orBehindLinks<T>(path: string, real: () => Awaitable<T>, virtual: (device: string) => Awaitable<T>): Awaitable<T> {
    const orElse = async (error: unknown): Promise<T> => {
      const device = codeOf(error) === 'ENOENT' ? await deviceBehind(path, this.owner) : undefined
      if (device === undefined) throw error
      return virtual(device)
    }
    try {
      const result = real()
      return result instanceof Promise ? result.catch(orElse) : result
    } catch (error) {
      return orElse(error)
    }
  }

  async #existsOrDevice(path: string): Promise<boolean> {
    return (await this.#files.exists(path)) || (await deviceBehind(path, this.owner)) !== undefined
  }

  async #orVirtual<T>(real: () => Awaitable<T>, virtual: () => Awaitable<T>): Promise<T> {
    try {
      return await real()
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
      return virtual()
    }
  }

  #statOf(virtual: Virtual, path: string): Awaitable<FileStat> {
    if (virtual.kind === 'device') {
      const file = virtual.open(this.owner)
      if (file === undefined) throw errno('ENOENT', 'no such file or directory', path)
      if (file.path !== undefined) return this.stat(file.path)
      return { ...deviceStat('file', 0o666, file.kind === 'null' ? '/dev/null' : path), isPipe: file.kind === 'pipe' }
    }
    return virtual.kind === 'directory'
      ? deviceStat('directory', 0o755, path)
      : deviceStat('file', virtual.kind === 'program' ? 0o755 : 0o666, path)
  }
}

export async function makeTemporary(files: ShellFiles): Promise<void> {
  if (!(await files.exists('/tmp'))) await files.mkdir('/tmp', { recursive: true, mode: 0o777 })
}

function deviceStat(kind: FileStat['kind'], mode: number, path: string): FileStat {
  return { kind, mode, sizeBytes: 0, mtimeMs: 0, ctimeMs: 0, nlink: 1, ino: inodeOf(path), device: deviceNumbers[path] }
}

// Commands such as cp compare inodes to see whether two names are one file.
function inodeOf(path: string): number {
  return Array.from(path).reduce((hash, character) => (hash * 31 + (character.codePointAt(0) ?? 0)) % 2 ** 40, 7)
}

function contentOf(virtual: Virtual, path: string): Uint8Array {
  if (virtual.kind === 'directory') throw errno('EISDIR', 'illegal operation on a directory', path)
  return new TextEncoder().encode(`#!/bin/bash\n# ${virtual.kind === 'program' ? virtual.name : path} is built into the shell.\n`)
}

export interface OwnedFiles extends ShellFiles {
  readonly owner: FilesOwner
}

// Each test of a file asks for them, and making them takes longer than the test.
const filesOfOwners = new WeakMap<FilesOwner, OwnedFiles>()

export function filesOf(owner: FilesOwner): OwnedFiles {
  let files = filesOfOwners.get(owner)
  if (files === undefined) {
    files = { ...physicalFiles(new CommandFiles(owner)), owner }
    filesOfOwners.set(owner, files)
  }
  return files
}
