// The files that grep searches: the operands, and with -r the files below them.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import type { FileKind } from '../../../../shell/files.ts'
import { compilePattern } from '../../interpreter/pattern.ts'
import { childOf, pathOf, statIfThere } from '../program.ts'
import type { GrepOptions } from './options.ts'
import { checkFileName, reasonOf } from '../../errno.ts'

export type Target =
  | { readonly kind: 'stdin' }
  /** `isFound`: the file was found in a directory; it is not an operand. */
  | { readonly kind: 'file'; readonly name: string; readonly path: string; readonly isFound?: boolean }
  | { readonly kind: 'problem'; readonly message: string; readonly isWarning?: boolean; readonly directory?: string }

export async function* targetsOf(
  operands: readonly string[],
  options: GrepOptions,
  context: ShellCommandContext,
): AsyncGenerator<Target> {
  const walker = new Walker(options, context)
  // Nothing excludes the working directory if it is not named.
  if (operands.length === 0) yield* walker.below('.', pathOf(context, '.'), [])
  for (const name of operands) {
    if (name === '-') yield { kind: 'stdin' }
    else yield* walker.named(name)
  }
}

class Walker {
  private readonly options: GrepOptions
  private readonly context: ShellCommandContext

  constructor(options: GrepOptions, context: ShellCommandContext) {
    this.options = options
    this.context = context
  }

  async *named(name: string): AsyncGenerator<Target> {
    const path = pathOf(this.context, name)
    let kind: FileKind
    try {
      kind = (await this.context.files.stat(path)).kind
      if (kind !== 'directory') checkFileName(name)
    } catch (error) {
      yield { kind: 'problem', message: `${name}: ${reasonOf(error)}` }
      return
    }
    if (kind === 'directory') {
      if (this.isExcludedDirectory(name, true)) return
      if (this.options.recursion !== 'none') yield* this.below(name, path, [])
      else if (this.options.directories === 'read') yield { kind: 'problem', message: `${name}: Is a directory`, directory: name }
      return
    }
    if (!this.isExcludedFile(name, true)) yield { kind: 'file', name, path }
  }

  /** `above`: the real paths of the ancestor directories, to detect loops when links are followed. */
  async *below(name: string, path: string, above: readonly string[]): AsyncGenerator<Target> {
    const { files, signal } = this.context
    const follows = this.options.recursion === 'dereference'
    let real = path
    try {
      if (follows) real = await files.realpath(path)
      if (above.includes(real)) {
        yield { kind: 'problem', message: `${name}: warning: recursive directory loop`, isWarning: true }
        return
      }
      for (const entry of await files.readdir(path)) {
        signal.throwIfAborted()
        const shown = name === '' ? entry.name : childOf(name, entry.name)
        yield* this.entry(shown, childOf(path, entry.name), entry.name, entry.kind, [...above, real])
      }
    } catch (error) {
      if (signal.aborted) throw error
      yield { kind: 'problem', message: `${name}: ${reasonOf(error)}` }
    }
  }

  private async *entry(
    shown: string,
    path: string,
    baseName: string,
    listed: FileKind,
    above: readonly string[],
  ): AsyncGenerator<Target> {
    let kind = listed
    if (kind === 'symlink') {
      if (this.options.recursion !== 'dereference') return
      const target = await statIfThere(this.context, path)
      if (target === undefined) {
        yield { kind: 'problem', message: `${shown}: No such file or directory` }
        return
      }
      kind = target.kind
    }
    if (kind === 'directory') {
      if (!this.isExcludedDirectory(baseName, false)) yield* this.below(shown, path, above)
    } else if (!this.isExcludedFile(baseName, false)) yield { kind: 'file', name: shown, path, isFound: true }
  }

  private isExcludedDirectory(name: string, isNamed: boolean): boolean {
    return this.options.excludedDirectories.some(glob => matches(glob, name, isNamed))
  }

  /** The last matching rule applies; if none matches, a file is excluded if the first rule is an `--include`. */
  private isExcludedFile(name: string, isNamed: boolean): boolean {
    const { nameRules } = this.options
    const rule = nameRules.findLast(({ glob }) => matches(glob, name, isNamed))
    return rule === undefined ? nameRules[0]?.isIncluded === true : !rule.isIncluded
  }
}

/** For an operand, the glob may also match a suffix that begins after a slash. */
function matches(glob: string, name: string, isNamed: boolean): boolean {
  const pattern = compilePattern(glob)
  if (!isNamed) return pattern.test(name)
  const parts = name.split('/')
  return parts.some((_, index) => pattern.test(parts.slice(index).join('/')))
}
