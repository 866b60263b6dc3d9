// The files of the shell as a filesystem of Emscripten, which becomes the root of what a program sees. Python's library and the devices stay
// reachable below it: `/lib/python3.14`, `/lib/python314.zip`, and `/dev` unless the shell has a directory of that name.

import type { FileEntry, FileStat } from '../../shell/files.ts'
import type { CallReply } from '../../shell/waited-calls.ts'
import { numberTable } from '../../core/words.ts'
import type { EmscriptenFs, FsAttributes, FsChange, FsNode, FsStream, NodeOperations, StreamOperations } from './emscripten.ts'
import { OpenFile, type FileCalls } from './open-files.ts'

/** The numbers that Emscripten gives to errors, by the codes of the shell's files. */
const errnos: Readonly<Record<string, number>> = numberTable(`
  EACCES 2, EAGAIN 6, EBADF 8, EBUSY 10, EEXIST 20, EFBIG 22, EINVAL 28, EIO 29, EISDIR 31, ELOOP 32, EMLINK 34,
  ENAMETOOLONG 37, ENOENT 44, ENOSPC 51, ENOSYS 52, ENOTDIR 54, ENOTEMPTY 55, ENOTSUP 138, EPERM 63, EPIPE 64, EROFS 69,
  ESPIPE 70, ESTALE 72, EXDEV 75
`)

export type Ask = (verb: string, args: readonly unknown[]) => CallReply

const fileBits = 0o100_000
const directoryBits = 0o040_000
const symlinkBits = 0o120_000
const kindMask = 0o170_000
const appendFlag = 0o2000
const umask = 0o022

/** Codes of refusals: by a rule, or because somebody else has changed the file. */
const reasoned = new Set(['EACCES', 'EPERM', 'ESTALE'])

const kindBits = { file: fileBits, directory: directoryBits, symlink: symlinkBits } as const

/**
 * Makes the files the root of `fs`. Returns a function that writes what open files hold.
 *
 * @param note prints a reason that no error number expresses
 */
export function mountWorkspace(fs: EmscriptenFs, ask: Ask, note: (message: string) => void): () => void {
  const fail = (code: string): never => {
    throw new fs.ErrnoError(errnos[code] ?? 29)
  }
  const answer = (verb: string, args: readonly unknown[]): unknown => {
    const reply = ask(verb, args)
    if (reply.kind === 'bytes') return reply.bytes
    if (reply.kind === 'value') return reply.value
    const { code = '', message } = reply
    // Python prints only a fixed text for an error number, so a reason that says more is printed too.
    if (!Object.hasOwn(errnos, code) || reasoned.has(code)) note(message)
    return fail(Object.hasOwn(errnos, code) ? code : 'EACCES')
  }
  const calls: FileCalls = {
    lstat: path => answer('lstat', [path]) as FileStat,
    readFile: (path, range) => answer('readFile', range === undefined ? [path] : [path, range]) as Uint8Array,
    writeFile: (path, data, options) => void answer('writeFile', [path, data, options]),
  }
  const opened = new Map<string, OpenFile>()
  const files = new WeakMap<object, OpenFile>()
  const fresh = new WeakMap<FsNode, FileStat>()
  const listed = new WeakMap<FsNode, Map<string, FileEntry['kind']>>()
  const own = new WeakSet<FsNode>()
  const virtual = new WeakSet<FsNode>()
  const old = fs.root ?? fail('ENOENT')
  const library = fs.lookupNode(old, 'lib')
  /** Python's library by path. Its nodes get another parent, so that a lookup below the original one no longer finds them. */
  const engines = new Map<string, FsNode>()
  for (const name of library.node_ops.readdir?.(library) ?? [])
    if (name.startsWith('python3')) engines.set(`/lib/${name}`, fs.lookupNode(library, name))
  const devices = fs.lookupNode(old, 'dev')
  /** True while a file is being opened, which may first empty it. */
  let isOpening = false

  const pathOf = (node: FsNode): string => {
    const names: string[] = []
    for (let at = node; at.parent !== at; at = at.parent) names.unshift(at.name)
    return `/${names.join('/')}`
  }
  const below = (parent: FsNode, name: string): string => (parent.parent === parent ? `/${name}` : `${pathOf(parent)}/${name}`)
  const create = (parent: FsNode, name: string, mode: number): FsNode => {
    const node = fs.createNode(parent, name, mode, 0)
    own.add(node)
    node.node_ops = nodeOperations
    node.stream_ops = streamOperations
    // Files and links are looked up each time, because others may remove them.
    if ((mode & kindMask) !== directoryBits) fs.hashRemoveNode(node)
    return node
  }
  const adopted = (node: FsNode, parent: FsNode): FsNode => {
    node.parent = parent
    return node
  }
  const statOf = (path: string): FileStat | undefined => {
    const reply = ask('lstat', [path])
    if (reply.kind === 'value') return reply.value as FileStat
    if (reply.kind === 'failure' && reply.code === 'ENOENT') return undefined
    return reply.kind === 'failure' && reply.code !== undefined ? fail(reply.code) : fail('EIO')
  }
  const attributes = (node: FsNode, stat: FileStat, file: OpenFile | undefined): FsAttributes => {
    const size = file?.sizeBytes ?? stat.sizeBytes
    const mode = kindBits[stat.kind] | (file?.mode ?? stat.mode)
    node.mode = mode
    const changedMs = file?.changedMs
    return {
      dev: 1,
      ino: Math.trunc(file?.ino ?? stat.ino),
      mode,
      nlink: stat.nlink,
      uid: 0,
      gid: 0,
      rdev: 0,
      size,
      atime: new Date(changedMs ?? stat.mtimeMs),
      mtime: timeOf(changedMs ?? stat.mtimeMs),
      ctime: new Date(changedMs ?? stat.ctimeMs),
      blksize: 4096,
      blocks: Math.ceil(size / 512),
    }
  }
  const unmade = (file: OpenFile): FileStat => {
    const now = file.changedMs ?? Date.now()
    return {
      kind: 'file',
      sizeBytes: file.sizeBytes,
      mode: file.mode ?? 0o644,
      mtimeMs: now,
      ctimeMs: now,
      ino: file.ino,
      nlink: file.path === undefined ? 0 : 1,
    }
  }
  const fileAttributes = (node: FsNode, path: string, file: OpenFile | undefined): FsAttributes => {
    if (file !== undefined && (file.isNew || file.path === undefined)) return attributes(node, unmade(file), file)
    const stat = fresh.get(node) ?? calls.lstat(path)
    fresh.delete(node)
    return attributes(node, stat, file)
  }
  const change = (path: string, file: OpenFile | undefined, { mode, size, mtime }: FsChange): void => {
    if (size !== undefined) {
      const target = file ?? fileAt(path)
      target.truncate(size)
      // Where a file is being opened, it is emptied when it is closed.
      if (isOpening) opened.set(path, target)
      else if (target.users === 0) target.commit()
    }
    if (mode !== undefined) {
      const bits = mode & 0o7777
      if (file !== undefined && (file.isNew || file.path === undefined)) file.mode = isOpening ? bits & ~umask : bits
      else answer('chmod', [path, bits])
    }
    if (mtime !== undefined && mtime !== null) {
      file?.commit()
      answer('utimes', [path, mtime])
    }
  }
  const fileAt = (path: string): OpenFile => {
    const stat = calls.lstat(path)
    if (stat.kind === 'directory') return fail('EISDIR')
    return new OpenFile(calls, path, stat)
  }
  const commitBelow = (path: string): void => {
    for (const [at, file] of opened) if (at === path || at.startsWith(`${path}/`)) file.commit()
  }
  const fileOf = (stream: FsStream): OpenFile => files.get(stream.shared) ?? fail('EBADF')

  const nodeOperations: NodeOperations = {
    getattr: node => {
      const path = pathOf(node)
      if (virtual.has(node)) {
        const stat = { sizeBytes: 0, mode: 0o555, mtimeMs: 0, ctimeMs: 0, ino: node.id, nlink: 1 }
        return attributes(node, { kind: 'directory', ...stat }, undefined)
      }
      return fileAttributes(node, path, opened.get(path))
    },
    setattr: (node, wanted) => {
      const path = pathOf(node)
      change(path, opened.get(path), wanted)
    },
    lookup: (parent, name) => {
      const path = below(parent, name)
      const engine = engines.get(path)
      if (engine !== undefined) return adopted(engine, parent)
      if (opened.get(path)?.isNew === true) return create(parent, name, fileBits | 0o644)
      const kinds = listed.get(parent)
      const kind = kinds?.get(name)
      if (kind !== undefined) {
        kinds?.delete(name)
        return create(parent, name, kindBits[kind] | 0o777)
      }
      const stat = statOf(path)
      if (stat === undefined) {
        if (path === '/dev') return adopted(devices, parent)
        if (path !== '/lib') return fail('ENOENT')
        const node = create(parent, name, directoryBits | 0o555)
        virtual.add(node)
        return node
      }
      const node = create(parent, name, kindBits[stat.kind] | stat.mode)
      fresh.set(node, stat)
      return node
    },
    mknod: (parent, name, mode) => {
      const path = below(parent, name)
      if ((mode & kindMask) === directoryBits) {
        answer('mkdir', [path, { mode: mode & 0o7777 & ~umask }])
        return create(parent, name, mode)
      }
      if ((mode & kindMask) !== fileBits) return fail('EPERM')
      // Nobody sees the file before it is closed, but a missing directory is an error at once.
      const directory = answer('stat', [pathOf(parent)]) as FileStat
      if (directory.kind !== 'directory') return fail('ENOTDIR')
      const file = new OpenFile(calls, path, 'new')
      opened.set(path, file)
      if (!isOpening) {
        file.mode = mode & 0o777 & ~umask
        file.commit()
        opened.delete(path)
      }
      return create(parent, name, mode)
    },
    rename: (node, directory, name) => {
      const from = pathOf(node)
      const to = below(directory, name)
      commitBelow(from)
      const replaced = opened.get(to)
      answer('rename', [from, to])
      if (replaced !== undefined) {
        replaced.path = undefined
        opened.delete(to)
      }
      for (const [at, file] of [...opened]) {
        if (at !== from && !at.startsWith(`${from}/`)) continue
        opened.delete(at)
        file.path = to + at.slice(from.length)
        opened.set(file.path, file)
      }
      node.name = name
      forget(directory, name)
    },
    unlink: (parent, name) => {
      const path = below(parent, name)
      const file = opened.get(path)
      if (file?.isNew !== true) answer('rm', [path])
      if (file !== undefined) file.path = undefined
      opened.delete(path)
      listed.get(parent)?.delete(name)
    },
    rmdir: (parent, name) => {
      commitBelow(below(parent, name))
      answer('rm', [below(parent, name), { emptyDirectory: true }])
      listed.get(parent)?.delete(name)
    },
    readdir: node => {
      if (virtual.has(node)) return ['.', '..', ...[...engines.values()].map(({ name }) => name)]
      const path = pathOf(node)
      const entries = answer('readdir', [path]) as readonly FileEntry[]
      listed.set(node, new Map(entries.map(({ name, kind }) => [name, kind])))
      const start = path === '/' ? '/' : `${path}/`
      const made = [...opened].filter(([at, { isNew }]) => isNew && at.startsWith(start) && !at.slice(start.length).includes('/'))
      return ['.', '..', ...entries.map(({ name }) => name), ...made.map(([at]) => at.slice(start.length))]
    },
    symlink: (parent, name, target) => {
      answer('symlink', [target, below(parent, name)])
      return create(parent, name, symlinkBits | 0o777)
    },
    readlink: node => answer('readlink', [pathOf(node)]) as string,
  }
  const forget = (directory: FsNode, name: string): void => {
    listed.get(directory)?.delete(name)
  }

  const streamOperations: StreamOperations = {
    open: stream => {
      if ((stream.node.mode & kindMask) === directoryBits) return
      const path = pathOf(stream.node)
      const file = opened.get(path) ?? fileAt(path)
      opened.set(path, file)
      file.users += 1
      files.set(stream.shared, file)
    },
    dup: stream => {
      const file = files.get(stream.shared)
      if (file !== undefined) file.users += 1
    },
    close: stream => {
      const file = files.get(stream.shared)
      if (file === undefined) return
      file.users -= 1
      const { path } = file
      try {
        if ((stream.flags & 3) !== 0) file.commit()
      } finally {
        if (file.users === 0 && path !== undefined) opened.delete(path)
      }
    },
    getattr: stream => {
      const file = files.get(stream.shared)
      const { node } = stream
      return file === undefined ? (nodeOperations.getattr?.(node) ?? fail('EBADF')) : fileAttributes(node, file.path ?? '', file)
    },
    setattr: (stream, wanted) => {
      const file = fileOf(stream)
      change(file.path ?? '', file, wanted)
    },
    fsync: stream => {
      files.get(stream.shared)?.commit()
      return 0
    },
    llseek: (stream, offset, whence) => {
      const position =
        whence === 1 ? stream.position + offset : whence === 2 ? (files.get(stream.shared)?.sizeBytes ?? 0) + offset : offset
      return position < 0 ? fail('EINVAL') : position
    },
    read: (stream, buffer, offset, length, position) => fileOf(stream).read(part(buffer, offset, length), position),
    write: (stream, buffer, offset, length, position) => {
      fileOf(stream).write(part(buffer, offset, length), position, (stream.flags & appendFlag) !== 0)
      return length
    },
  }

  fs.ignorePermissions = true
  delete fs.filesystems['NODEFS']
  const open = fs.open
  fs.open = (path, flags, mode) => {
    isOpening = true
    try {
      return open(path, flags, mode)
    } finally {
      isOpening = false
      for (const [at, file] of opened) if (file.users === 0) opened.delete(at)
    }
  }
  const hashAddNode = fs.hashAddNode
  fs.hashAddNode = node => {
    if (!own.has(node) || (node.mode & kindMask) === directoryBits) hashAddNode(node)
  }
  makeReadOnly(fs, library)
  fs.root = null
  fs.mount(
    {
      mount: () => {
        const root = fs.createNode(null, '/', directoryBits | 0o755, 0)
        root.node_ops = nodeOperations
        root.stream_ops = streamOperations
        return root
      },
    },
    {},
    '/',
  )
  return () => {
    for (const file of opened.values()) file.commit()
  }
}

/** What a program would write below Python's library would be lost with the interpreter, so it is refused. */
function makeReadOnly(fs: EmscriptenFs, node: FsNode): void {
  const refuse = (): never => {
    throw new fs.ErrnoError(69)
  }
  const { node_ops: operations, stream_ops: streams } = node
  if ((node.mode & kindMask) === directoryBits) {
    for (const name of operations.readdir?.(node) ?? [])
      if (name !== '.' && name !== '..') makeReadOnly(fs, fs.lookupNode(node, name))
    const changes = { mknod: refuse, rename: refuse, unlink: refuse, rmdir: refuse, symlink: refuse, setattr: refuse }
    node.node_ops = { ...operations, ...changes }
  } else if ((node.mode & kindMask) === fileBits) {
    node.node_ops = { ...operations, setattr: refuse }
    node.stream_ops = { ...streams, write: refuse }
  }
}

function part(buffer: Int8Array, offset: number, length: number): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length)
}

/** Emscripten asks for the fraction of a millisecond too. */
function timeOf(milliseconds: number): Date {
  return { getTime: () => milliseconds } as Date
}
