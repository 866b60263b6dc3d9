// `git diff --no-index a b`: two files that need not belong to a repository.

import { encodeText } from '../../shell/byte-text.ts'
import { diffLines } from '../../text/git-diff/diff-lines.ts'
import { renderHunks } from '../../text/git-diff/hunks.ts'
import type { GitCall } from '../call.ts'
import { looksBinary } from '../diff/file-pair.ts'
import { failure, GitFailure } from '../errors.ts'
import type { Options } from '../options.ts'
import { quotePath } from '../quote.ts'
import { hashObject } from '../store/objects.ts'

export async function diffWithoutIndex(call: GitCall, options: Options): Promise<number> {
  const [left, right, ...rest] = options.all
  if (left === undefined || right === undefined || rest.length > 0) {
    if (!options.has('no-index')) {
      throw new GitFailure(
        'warning: Not a git repository. Use --no-index to compare two paths outside a working tree\nusage: git diff --no-index [<options>] <path> <path>',
        129,
      )
    }
    throw new GitFailure('usage: git diff --no-index [<options>] <path> <path>', 129)
  }
  const { files, cwd } = call.environment
  const read = async (name: string): Promise<{ readonly bytes: Uint8Array; readonly mode: string }> => {
    if (name === '/dev/null') return { bytes: new Uint8Array(), mode: '' }
    if (name === '-') return { bytes: await call.inputBytes(), mode: '100644' }
    const path = name.startsWith('/') ? name : `${cwd}/${name}`
    const stat = await files.stat(path)
    if (stat === undefined) throw failure(`Could not access '${name}'`, 1)
    if (stat.kind === 'directory') throw failure(`${name}: comparing directories is not built into this git; name two files`, 128)
    return { bytes: (await files.read(path)) ?? new Uint8Array(), mode: (stat.mode & 0o100) !== 0 ? '100755' : '100644' }
  }
  const before = await read(left)
  const after = await read(right)
  const hunks = renderHunks(diffLines(before.bytes, after.bytes))
  if (hunks.length === 0 && before.mode === after.mode) return 0
  if (options.has('quiet')) return 1
  const name = (prefix: string, path: string): string => quotePath(prefix + path.replace(/^\//, ''), true)
  const from = left === '/dev/null' ? right : left
  const to = right === '/dev/null' ? left : right
  const id = (bytes: Uint8Array, mode: string): string => (mode === '' ? '0000000' : hashObject('blob', bytes).slice(0, 7))
  const head = [`diff --git ${name('a/', from)} ${name('b/', to)}`]
  if (before.mode === '') head.push(`new file mode ${after.mode}`)
  else if (after.mode === '') head.push(`deleted file mode ${before.mode}`)
  else if (before.mode !== after.mode) head.push(`old mode ${before.mode}`, `new mode ${after.mode}`)
  if (hunks.length > 0 || before.mode === '' || after.mode === '') {
    const mode = before.mode === after.mode ? ` ${after.mode}` : ''
    head.push(`index ${id(before.bytes, before.mode)}..${id(after.bytes, after.mode)}${mode}`)
  }
  const names = [before.mode === '' ? '/dev/null' : name('a/', from), after.mode === '' ? '/dev/null' : name('b/', to)]
  if (options.value('diff-format') === 'name-only') await call.print(quotePath(to, true))
  else if (looksBinary(before.bytes) || looksBinary(after.bytes))
    await call.print(`${head.join('\n')}\nBinary files ${names[0] ?? ''} and ${names[1] ?? ''} differ`)
  else {
    if (hunks.length > 0) head.push(`--- ${names[0] ?? ''}`, `+++ ${names[1] ?? ''}`)
    await call.out.write(encodeText(`${head.join('\n')}\n`))
    await call.out.write(hunks)
  }
  return 1
}
