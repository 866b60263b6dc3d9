// `fs.realpath` and `fs.realpathSync`, which Node implements name by name: an error is that of the `lstat` or `stat` of the name that
// failed, and not that of the whole path. `realpath.native` and `fs.promises.realpath` ask for the whole path at once.

import { childPath, dirname, rootPath, type VfsPath } from '../../../core/path.ts'
import { call, type Steps } from '../../steps.ts'
import { normal } from './paths.ts'
import { asCall, checkedPath, type GivenPath, type NodeSystem } from './system.ts'

export function* realpathByName(system: NodeSystem, given: GivenPath): Steps<VfsPath> {
  const { on, rights, workingDirectory } = system
  // Node removes '..' by name before it looks at any file.
  const names = namesOf(given.text === '' ? workingDirectory : given.text)
  let here = rootPath
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const at = childPath(here, name)
    const stat = yield* asCall({ syscall: 'lstat', path: at }, function* () {
      yield* checkedPath(system, at, 'lstat')
      yield* rights.search(at, false, 'lstat')
      return yield* call(on, 'lookup', at, { follow: false })
    })
    if (stat.kind !== 'symlink') {
      here = at
      continue
    }
    yield* asCall({ syscall: 'stat', path: at }, function* () {
      yield* rights.search(at, true, 'stat')
      return yield* call(on, 'lookup', at)
    })
    const target = yield* call(on, 'readlink', at)
    const base = target.startsWith('/') ? target : `${dirname(at)}/${target}`
    names.splice(0, names.length, ...namesOf([base, ...names.toReversed()].join('/')))
    here = rootPath
  }
  return here
}

/** The names of a path without '..', the last one first. */
function namesOf(path: string): string[] {
  return normal(path)
    .split('/')
    .filter(name => name !== '')
    .toReversed()
}
