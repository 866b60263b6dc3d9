// A harness over any filesystem with the interpreter's interface, so that the same lines serve Node, browsers and workerd.

import { dirname, parsePath, type VfsPath } from '../../core/path.ts'
import type { ShellFs } from '../../backends/just-bash/shell-fs.ts'
import type { Shell } from '../../shell/shell.ts'
import type { ShellHarness } from './contract.ts'

/** Opens a shell over `files`, which holds nothing yet. */
export async function harnessOver(files: ShellFs, createShell: (files: ShellFs, root: VfsPath) => Shell): Promise<ShellHarness> {
  const root = parsePath('/workspace')
  await files.mkdir(root, { recursive: true })
  const shell = createShell(files, root)
  return {
    shell,
    root,
    write: async (name, content) => {
      const path = parsePath(name, root)
      await files.mkdir(dirname(path), { recursive: true })
      await files.writeFile(path, content)
    },
    read: name => files.readFileBuffer(parsePath(name, root)),
    close: () => shell.dispose(),
  }
}

/** The calls of `memory`, bound, and with the missing-directory rule of a real filesystem, which just-bash's own lacks. */
export function strictFiles(memory: ShellFs): ShellFs {
  const requireParent = async (path: string): Promise<void> => {
    if (await memory.exists(dirname(parsePath(path)))) return
    throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT' })
  }
  return {
    readFile: (...args) => memory.readFile(...args),
    readFileBuffer: path => memory.readFileBuffer(path),
    writeFile: async (...args) => {
      await requireParent(args[0])
      return memory.writeFile(...args)
    },
    appendFile: async (...args) => {
      await requireParent(args[0])
      return memory.appendFile(...args)
    },
    exists: path => memory.exists(path),
    stat: path => memory.stat(path),
    lstat: path => memory.lstat(path),
    mkdir: (...args) => memory.mkdir(...args),
    readdir: path => memory.readdir(path),
    readdirWithFileTypes: path => memory.readdirWithFileTypes(path),
    rm: (...args) => memory.rm(...args),
    cp: (...args) => memory.cp(...args),
    mv: (...args) => memory.mv(...args),
    resolvePath: (base, path) => memory.resolvePath(base, path),
    getAllPaths: () => memory.getAllPaths(),
    chmod: (path, mode) => memory.chmod(path, mode),
    symlink: (target, path) => memory.symlink(target, path),
    link: (existing, path) => memory.link(existing, path),
    readlink: path => memory.readlink(path),
    realpath: path => memory.realpath(path),
    utimes: (path, atime, mtime) => memory.utimes(path, atime, mtime),
  }
}
