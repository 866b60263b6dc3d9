// Describes how a branch compares with its upstream.

import type { DifferentUpstream, Tracking } from '../revs/tracking.ts'

export function trackingLines(tracking: Tracking | DifferentUpstream): readonly string[] {
  if (tracking.kind === 'none') return []
  const { name } = tracking
  if (tracking.kind === 'gone')
    return [`Your branch is based on '${name}', but the upstream is gone.`, '  (use "git branch --unset-upstream" to fixup)', '']
  if (tracking.kind === 'different')
    return [`Your branch and '${name}' refer to different commits.`, '  (use "git status --ahead-behind" for details)', '']
  const { ahead, behind } = tracking
  if (ahead === 0 && behind === 0) return [`Your branch is up to date with '${name}'.`, '']
  if (behind === 0)
    return [
      `Your branch is ahead of '${name}' by ${ahead} commit${ahead === 1 ? '' : 's'}.`,
      '  (use "git push" to publish your local commits)',
      '',
    ]
  if (ahead === 0) {
    return [
      `Your branch is behind '${name}' by ${behind} commit${behind === 1 ? '' : 's'}, and can be fast-forwarded.`,
      '  (use "git pull" to update your local branch)',
      '',
    ]
  }
  return [
    `Your branch and '${name}' have diverged,`,
    `and have ${ahead} and ${behind} different commits each, respectively.`,
    '  (use "git pull" to merge the remote branch into yours)',
    '',
  ]
}
