// Removes the header and the numbers from content that is entirely a copy of a tool's output in this session, and tells the model what was
// removed, or why nothing was.

import type { Session } from '../../../session/session.ts'
import { stripCopiedOutput } from '../../../text/hashline/strip.ts'

export interface GivenContent {
  readonly text: string
  readonly notes: readonly string[]
}

export function withoutCopiedOutput(session: Session, content: string): GivenContent {
  const stripped = stripCopiedOutput(content, (display, tag) => session.snapshots.textOf(display, tag))
  switch (stripped.kind) {
    case 'unchanged':
      return { text: content, notes: [] }
    case 'stripped':
      return {
        text: stripped.text,
        notes: ['Note: the header and line prefixes of a copied read or search result were left out.'],
      }
    case 'suspicious':
      return {
        text: content,
        notes: [`Note: written as given, although it looks like a copied tool result: ${stripped.reason}.`],
      }
  }
}
