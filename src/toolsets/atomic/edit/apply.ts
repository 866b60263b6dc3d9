// Applies hunks with the options of the session: blocks if the script names any, corrections unless the host switched them off. Grammars
// are large, so they are loaded only for an edit that needs one.

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
  // Brackets alone decided, although a grammar may be more exact.
  const { loadSyntaxCheck } = await import('../../../text/blocks/resolve.ts')
  return applyHunks(document, hunks, { ...options, isWhole: await loadSyntaxCheck(path) })
}

/** The resolver that the hunks need; `undefined` if no hunk names a block. */
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
