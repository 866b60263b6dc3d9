// Lays the devices over the user's files, and turns what the interpreter writes to its two streams into bytes as it happens.

import { bytesOf, latin1Text, type WriteEncoding } from './encoding.ts'
import { randomBytes, virtualNodeAt, type VirtualNode } from './devices.ts'
import type { JustBashDirent, JustBashFs, JustBashStat } from '../../vfs/facades/just-bash.ts'

export interface DeviceFsOptions {
  readonly commands: ReadonlySet<string>
  readonly write: (channel: 'stdout' | 'stderr', bytes: Uint8Array) => void
  /** Awaited before every call: where a busy script lets other work through. */
  readonly pause: () => Promise<void>
  /** False spares a look for each command: nothing of the user's lies where the commands are. */
  readonly hasOwnPrograms: boolean
}

const epoch = new Date(0)

export function createDeviceFs(files: JustBashFs, { commands, write, pause, hasOwnPrograms }: DeviceFsOptions): JustBashFs {
  /** The virtual node at `path`, unless a real file or directory is there that goes first. */
  const virtualAt = async (path: string): Promise<VirtualNode | undefined> => {
    await pause()
    const node = virtualNodeAt(path, commands)
    if (node === undefined || (node.kind === 'command' && !hasOwnPrograms)) return node
    const realGoesFirst = node.kind === 'command' || (node.kind === 'directory' && node.overlaysRealOne)
    return realGoesFirst && (await files.exists(path)) ? undefined : node
  }
  /** Like `virtualAt`, for calls that change something: nothing virtual can be changed, and /tmp is made when it is first needed. */
  const refuseVirtual = async (path: string, syscall: string): Promise<void> => {
    const node = await virtualAt(path)
    if (node !== undefined && path !== '/tmp')
      throw refusal('EPERM', 'operation not permitted', syscall, path, 'it is part of the shell')
    if (path.startsWith('/tmp/') && !(await files.exists('/tmp'))) await files.mkdir('/tmp', { recursive: true })
  }
  const put = async (path: string, content: string | Uint8Array, encoding: WriteEncoding, append: boolean): Promise<void> => {
    await pause()
    const node = virtualNodeAt(path, commands)
    if (node?.kind === 'sink') {
      if (node.channel !== 'nowhere') write(node.channel, bytesOf(content, encoding, node.channel))
      return
    }
    await refuseVirtual(path, 'open')
    await (append ? files.appendFile(path, content, encoding) : files.writeFile(path, content, encoding))
  }
  const list = async (path: string): Promise<JustBashDirent[]> => {
    await pause()
    const node = virtualNodeAt(path, commands)
    if (node !== undefined && node.kind !== 'directory') throw refusal('ENOTDIR', 'not a directory', 'scandir', path)
    const hasReal = node === undefined || (node.overlaysRealOne && (await files.exists(path)))
    const real = hasReal ? await files.readdirWithFileTypes(path) : []
    const known = new Set(real.map(entry => entry.name))
    const virtual = (node?.names ?? [])
      .filter(name => !known.has(name))
      .map(name => direntOf(`${path === '/' ? '' : path}/${name}`, name))
    return [...real, ...virtual].sort((a, b) => (a.name < b.name ? -1 : 1))
  }
  const direntOf = (path: string, name: string): JustBashDirent => {
    const isDirectory = virtualNodeAt(path, commands)?.kind === 'directory'
    return { name, isFile: !isDirectory, isDirectory, isSymbolicLink: false }
  }
  const read = async (path: string): Promise<Uint8Array> => {
    const node = await virtualAt(path)
    return node === undefined ? files.readFileBuffer(path) : contentOf(node, path)
  }

  const deviceFs: JustBashFs = {
    readFile: async (path, options) => {
      const node = await virtualAt(path)
      if (node === undefined) return files.readFile(path, options)
      const bytes = contentOf(node, path)
      const encoding = typeof options === 'string' ? options : options?.encoding
      return encoding === 'binary' || encoding === 'latin1' ? latin1Text(bytes) : new TextDecoder().decode(bytes)
    },
    readFileBuffer: read,
    writeFile: (path, content, encoding) => put(path, content, encoding, false),
    appendFile: (path, content, encoding) => put(path, content, encoding, true),
    exists: async path => {
      await pause()
      const node = virtualNodeAt(path, commands)
      return node === undefined ? files.exists(path) : node.kind !== 'absent'
    },
    stat: async path => {
      const node = await virtualAt(path)
      return node === undefined ? files.stat(path) : statOf(node, path)
    },
    lstat: async path => {
      const node = await virtualAt(path)
      return node === undefined ? files.lstat(path) : statOf(node, path)
    },
    mkdir: async (path, options) => {
      const node = await virtualAt(path)
      if (node === undefined || path === '/tmp') {
        await refuseVirtual(path, 'mkdir')
        return files.mkdir(path, options)
      }
      if (node.kind === 'directory' && options?.recursive === true) return
      throw refusal('EEXIST', 'file already exists', 'mkdir', path)
    },
    readdir: async path => (await list(path)).map(entry => entry.name),
    readdirWithFileTypes: list,
    rm: async (path, options) => {
      await refuseVirtual(path, 'rm')
      return files.rm(path, options)
    },
    cp: async (from, to, options) => {
      const source = await virtualAt(from)
      const target = virtualNodeAt(to, commands)
      if (source === undefined && target === undefined) {
        await refuseVirtual(to, 'cp')
        return files.cp(from, to, options)
      }
      return put(to, await read(from), undefined, false)
    },
    mv: async (from, to) => {
      await refuseVirtual(from, 'rename')
      await refuseVirtual(to, 'rename')
      return files.mv(from, to)
    },
    resolvePath: (base, path) => files.resolvePath(base, path),
    getAllPaths: () => files.getAllPaths(),
    chmod: async (path, mode) => {
      await refuseVirtual(path, 'chmod')
      return files.chmod(path, mode)
    },
    symlink: async (target, path) => {
      await refuseVirtual(path, 'symlink')
      return files.symlink(target, path)
    },
    link: async (existing, path) => {
      await refuseVirtual(existing, 'link')
      await refuseVirtual(path, 'link')
      return files.link(existing, path)
    },
    readlink: async path => {
      if ((await virtualAt(path)) !== undefined) throw refusal('EINVAL', 'invalid argument', 'readlink', path)
      return files.readlink(path)
    },
    realpath: async path => ((await virtualAt(path)) === undefined ? files.realpath(path) : path),
    utimes: async (path, atime, mtime) => {
      const node = await virtualAt(path)
      // `touch /dev/null` is a habit, and harmless.
      if (node?.kind === 'sink') return
      await refuseVirtual(path, 'utimes')
      return files.utimes(path, atime, mtime)
    },
  }
  // For each command the interpreter copies a plain object verb by verb, and anything else is wrapped as it is used.
  return Object.assign(Object.create(notPlain), deviceFs)
}

const notPlain = {}

function statOf(node: VirtualNode, path: string): JustBashStat {
  if (node.kind === 'absent') throw refusal('ENXIO', 'no such device', 'stat', path, node.hint)
  const isDirectory = node.kind === 'directory'
  const mode = isDirectory || node.kind === 'command' ? 0o755 : 0o666
  return { isFile: !isDirectory, isDirectory, isSymbolicLink: false, mode, size: 0, mtime: epoch, dev: 2, ino: inodeOf(path) }
}

// Commands such as cp compare inodes to see whether two names are one file.
function inodeOf(path: string): number {
  return Array.from(path).reduce((hash, character) => (hash * 31 + (character.codePointAt(0) ?? 0)) % 2 ** 40, 7)
}

function contentOf(node: VirtualNode, path: string): Uint8Array {
  switch (node.kind) {
    case 'sink':
      return new Uint8Array(0)
    case 'random':
      return crypto.getRandomValues(new Uint8Array(randomBytes))
    case 'command':
      return new TextEncoder().encode(`#!/bin/bash\n# ${node.name} is built into the shell.\n`)
    case 'directory':
      throw refusal('EISDIR', 'illegal operation on a directory', 'read', path)
    case 'absent':
      throw refusal('ENXIO', 'no such device', 'open', path, node.hint)
    default:
      throw new Error(`unreachable: ${JSON.stringify(node satisfies never)}`)
  }
}

// The interpreter looks for the errno name at the start of the message, and at `code`.
function refusal(code: string, text: string, syscall: string, path: string, hint?: string): Error {
  return Object.assign(new Error(`${code}: ${text}, ${syscall} '${path}'${hint === undefined ? '' : ` (${hint})`}`), { code })
}
