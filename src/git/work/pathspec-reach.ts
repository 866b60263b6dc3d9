// Which pathspecs a command rejects that looks at files by their names: behind symlinks, in submodules, with magic.

import { fatal } from '../errors.ts'
import type { GitIndex } from '../index/git-index.ts'
import type { Repository } from '../repository.ts'
import { modes } from '../store/object-format.ts'
import type { Pathspec } from './pathspec.ts'

/** Rejects magic other than `:/`. */
export function refuseMagic(pathspec: Pathspec): void {
  for (const { given, magic } of pathspec.items) {
    const refused = [
      magic.isLiteral ? "'literal'" : '',
      magic.isGlob ? "'glob'" : '',
      magic.isCaseless ? "'icase'" : '',
      magic.isExcluded ? "'exclude' (mnemonic: '!')" : '',
    ].filter(Boolean)
    if (refused.length > 0) throw fatal(`${given}: pathspec magic not supported by this command: ${refused.join(', ')}`)
  }
}

export class PathspecReach {
  readonly #repository: Repository
  readonly #index: GitIndex

  constructor(repository: Repository, index: GitIndex) {
    this.#repository = repository
    this.#index = index
  }

  async check(pathspec: Pathspec): Promise<void> {
    const tree = await this.#repository.workTree()
    for (const { given, literal, path, isDirectoryOnly } of pathspec.items) {
      const whole = isDirectoryOnly && literal === path ? `${literal}/` : literal
      for (let end = whole.indexOf('/'); end !== -1; end = whole.indexOf('/', end + 1)) {
        const above = path.slice(0, end)
        if (end < path.length && this.#index.get(above)?.mode === modes.submodule)
          throw fatal(`Pathspec '${given}' is in submodule '${above}'`)
        if ((await tree.lstat(above))?.kind === 'symlink') throw fatal(`pathspec '${given}' is beyond a symbolic link`)
      }
    }
  }
}
