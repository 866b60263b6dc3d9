// Words of a call of `git rev-parse`: how they are taken apart, and which kinds there are.

import { compileWildcard } from '../../search/wildmatch.ts'
import { encodeText } from '../../shell/byte-text.ts'

/** Reasons that stand for themselves: the word is no file. */
export const toldAsIs: RegExp = /log for|upstream|does not point/

/** Options of `git rev-list`, as far as git counts them among the revisions. */
export const revisionFlag: RegExp =
  /^(?:-[n\d].*|--(?:dense|header|ignore-missing|no-merges|no-m(?:in|ax)-parents|objects|objects-edge|parents|pretty|sparse|(?:topo|date)-order|unpacked|max-age=.*|max-count=.*|min-age=.*|m(?:in|ax)-parents=.*))$/s

export function joined(directory: string, name: string): string {
  return directory === '' || name.startsWith('/') ? name : `${directory.replace(/\/$/, '')}/${name}`
}

export function wildcardOf(text: string): ReturnType<typeof compileWildcard> {
  return compileWildcard(encodeText(text), false)
}

export function splitOnce(word: string): readonly [string, string | undefined] {
  const at = word.indexOf('=')
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}
