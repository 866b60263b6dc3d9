// How `git rev-parse` prints the paths of a repository.

import type { GitCall } from '../call.ts'

export class ShownPaths {
  readonly #call: GitCall
  /** From `--path-format`. */
  format: 'usual' | 'absolute' | 'relative' = 'usual'

  constructor(call: GitCall) {
    this.#call = call
  }

  /** A path as git prints it: relative to the working directory if it is above that. */
  async shown(path: string, isAbsoluteByDefault: boolean = false): Promise<string> {
    const { cwd } = this.#call.environment
    if (this.format === 'absolute' || (this.format === 'usual' && isAbsoluteByDefault)) return path
    const repository = await this.#call.repository()
    if (this.format === 'usual' && cwd !== (repository.isBare ? repository.gitDir : repository.root)) return path
    if (path === cwd) return '.'
    if (path.startsWith(`${cwd}/`)) return path.slice(cwd.length + 1)
    return this.format === 'relative' ? relativePath(cwd, path) : path
  }

  /** A path of the repository; below the root of the work tree it is relative to the working directory. */
  async shared(path: string): Promise<string> {
    const { cwd, env } = this.#call.environment
    const repository = await this.#call.repository()
    const isNear =
      !repository.isBare && env['GIT_DIR'] === undefined && [path, cwd].every(place => place.startsWith(`${repository.root}/`))
    return isNear && this.format === 'usual' ? relativePath(cwd, path) : this.shown(path)
  }
}

export function relativePath(from: string, to: string): string {
  const a = from.split('/').filter(Boolean)
  const b = to.split('/').filter(Boolean)
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  return [...a.slice(same).map(() => '..'), ...b.slice(same)].join('/') || '.'
}
