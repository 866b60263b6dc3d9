// Names with `..` as the kernel takes them: behind a link it leads to the directory that holds the link's target, and behind a name that
// is not a directory it fails.

import { resolveFrom, type Awaitable, type ShellFiles } from '../../shell/files.ts'
import { errno } from './errno.ts'
import { filesByVerb } from './files-by-verb.ts'

/** Like `resolveFrom` for a `cwd` without links, but `..` behind a name stays: only the files know where it leads. */
export function pathFrom(cwd: string, name: string): string {
  const [up = ''] = /^(?:\/|\.{1,2}(?:\/|$))*/.exec(name) ?? []
  const rest = name.slice(up.length)
  if (!/\/\.\.(?:\/|$)/.test(rest)) return resolveFrom(cwd, name)
  const top = resolveFrom(cwd, up === '' ? '.' : up)
  const parts = rest.split('/').filter(part => part !== '' && part !== '.')
  return `${top === '/' ? '' : top}/${parts.join('/')}`
}

/** The path without `..`. Throws the error of a file that would have to be a directory. */
export async function physicalPath(files: ShellFiles, path: string): Promise<string> {
  if (!path.includes('/..')) return path
  let at = ''
  for (const part of path.slice(1).split('/')) {
    if (part !== '..') at += `/${part}`
    else {
      const directory = await files.realpath(at === '' ? '/' : at)
      if ((await files.stat(directory)).kind !== 'directory') throw errno('ENOTDIR', 'not a directory', path)
      at = directory.slice(0, directory.lastIndexOf('/'))
    }
  }
  return at === '' ? '/' : at
}

/** Files whose paths may contain `..`. */
export function physicalFiles(files: ShellFiles): ShellFiles {
  const settled = (operand: unknown): unknown => (hasUps(operand) ? physicalPath(files, operand) : operand)
  return {
    ...filesByVerb((verb, args) => {
      // The verb and its arguments have the types of the same table.
      const run = (operands: readonly unknown[]): Awaitable<never> =>
        Reflect.apply(files[verb], files, operands) as Awaitable<never>
      return args.some(hasUps) ? Promise.all(args.map(settled)).then(run) : run(args)
    }),
    exists: async path => files.exists(await physicalPath(files, path).catch(() => '')),
    symlink: async (target, path) => files.symlink(target, await physicalPath(files, path)),
  }
}

function hasUps(operand: unknown): operand is string {
  return typeof operand === 'string' && operand.includes('/..')
}
