// `edit` refuses a text that lies in other lines than those it was copied from, so what a file held when it was seen goes into the
// session's state: without it the refusal would end with the page.

import type { VfsPath } from '../../core/path.ts'
import type { Session } from '../../session/session.ts'
import { asList, asPath, asText } from '../../session/state-parts.ts'

export function rememberTexts({ own, texts }: Session): void {
  const saved = own.open('ah', budget => texts.newestFirst().filter(([, text]) => budget.take(text)))
  if (saved === undefined) return
  for (const [path, text] of asList(saved).map(asSeenText).toReversed()) texts.open(path, text)
}

function asSeenText(value: unknown): readonly [path: VfsPath, text: string] {
  const [path, text] = asList(value)
  return [asPath(path), asText(text)]
}
