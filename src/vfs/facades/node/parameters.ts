// The names of Node's functions, and how many parameters they report. Some libraries look at both.

import { words } from '../../../core/words.ts'

/** The parameters of the synchronous functions. */
const parameters: ReadonlyMap<string, number> = new Map(
  [
    words('close exists fdatasync fstat fsync ftruncate lstat stat statfs unlink openAsBlob'),
    words(
      'access chmod fchmod glob link mkdir mkdtemp mkdtempDisposable opendir readdir readFile readlink realpath rename rm rmdir truncate',
    ),
    words('appendFile chown copyFile cp fchown futimes lchown lutimes open readv symlink utimes watchFile writeFile writev'),
    [],
    words('read write'),
  ].flatMap((names, index) => names.map((name): [string, number] => [name, index + 1])),
)

/** Functions with a default before their callback report the same number with and without it. */
const notCounted: ReadonlySet<string> = new Set(words('close fstat ftruncate lstat openAsBlob stat statfs watchFile'))

const ofPromises: Readonly<Record<string, number>> = { access: 1, lchmod: 2, opendir: 3, truncate: 1, watch: 1 }

/** Gives the functions of a face the names and numbers of parameters that Node's have. */
export function nameAsNode(face: Readonly<Record<string, unknown>>, isPromise: boolean): void {
  for (const [name, act] of Object.entries(face)) {
    const verb = name.replace(/Sync$/, '')
    const count = parameters.get(verb)
    const hasCallback = !isPromise && verb === name && !notCounted.has(verb)
    const length = (isPromise ? ofPromises[name] : undefined) ?? (count === undefined ? undefined : count + (hasCallback ? 1 : 0))
    if (typeof act !== 'function' || length === undefined) continue
    Object.defineProperties(act, { name: { value: name }, length: { value: length } })
  }
}
