// The names of references beside a commit, each in the color of its kind.

import { type ColorSlot, type Palette, resetColor } from './palette.ts'

export function paintedDecorations(
  palette: Palette,
  /** Full names. */
  names: readonly string[],
  { before, after, isShort }: { readonly before: string; readonly after: string; readonly isShort: boolean },
): string {
  const commit = (text: string): string => `${palette.of('diff.commit')}${text}${resetColor}`
  const own = (slot: ColorSlot, text: string): string => `${palette.of(slot)}${text}${resetColor}`
  const shortened = (name: string): string => (isShort ? name.replace(/refs\/(?:heads|tags|remotes)\//, '') : name)
  const parts = names.map(name => {
    const [, head = '', branch] = /^(HEAD)(?: -> (.*))?$/.exec(name) ?? []
    if (head === '') return own(slotOf(name), shortened(name))
    return branch === undefined
      ? own('decorate.head', head)
      : own('decorate.head', 'HEAD -> ') + own(slotOf(branch), shortened(branch))
  })
  return commit(before) + parts.join(commit(', ')) + commit(after)
}

function slotOf(name: string): ColorSlot {
  if (name.startsWith('tag: ')) return 'decorate.tag'
  if (name.startsWith('refs/remotes/')) return 'decorate.remotebranch'
  if (name === 'refs/stash') return 'decorate.stash'
  return name === 'replaced' || name === 'grafted'
    ? 'decorate.grafted'
    : name.startsWith('refs/heads/')
      ? 'decorate.branch'
      : 'decorate.head'
}
