// Applies hunks with what the session allows: blocks where the script names any, repairs unless the host switched them off. Grammars
// are heavy, so they are loaded only when an edit asks for one.

import type { VfsPath } from '../../../core/path.ts'
import type { TextDocument } from '../../../core/text.ts'
import { applyHunks, type AppliedEdit } from '../../../text/hashline/apply.ts'
import type { BlockResolver } from '../../../text/hashline/blocks.ts'
import type { Hunk } from '../../../text/hashline/parse.ts'
import type { EditSettings } from './settings.ts'

/** Throws what `applyHunks` throws. */
export async function applyToDocument(
  settings: EditSettings,
  path: VfsPath,
  document: TextDocument,
  hunks: readonly Hunk[],
): Promise<AppliedEdit> {
  const options = { resolveBlock: await blockResolverFor(settings, path, hunks), repairs: settings.repairs }
  let isGrammarWanted = false
  const applied = applyHunks(document, hunks, {
    ...options,
    isWhole() {
      isGrammarWanted = true
      return undefined
    },
  })
  if (!isGrammarWanted) return applied
  // Brackets alone decided where a grammar may know better.
  const { loadSyntaxCheck } = await import('../../../text/blocks/resolve.ts')
  return applyHunks(document, hunks, { ...options, isWhole: await loadSyntaxCheck(path) })
}

/** The resolver that the hunks need; `undefined` when none of them names a block. */
export async function blockResolverFor(
  settings: EditSettings,
  path: VfsPath,
  hunks: readonly Hunk[],
): Promise<BlockResolver | undefined> {
  if (!hunks.some(namesBlock)) return undefined
  const { loadBlockResolver } = await import('../../../text/blocks/resolve.ts')
  return loadBlockResolver(path, settings.blocks)
}

function namesBlock({ kind }: Hunk): boolean {
  return kind === 'replace-block' || kind === 'delete-block' || kind === 'insert-after-block'
}
