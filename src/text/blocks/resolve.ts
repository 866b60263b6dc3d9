// Chooses what determines the end of a block in a file: the host's resolver, a grammar by the file's extension, or brackets and
// indentation. Loading is asynchronous and resolving is synchronous, so that an edit is planned in one step.

import type { TextDocument } from '../../core/text.ts'
import type { BlockResolver } from '../hashline/blocks.ts'
import type { SyntaxCheck } from '../hashline/repair.ts'
import { extensionOf, loadLanguage } from './languages.ts'
import { createPlainResolver } from './plain-blocks.ts'
import { createDocumentParser, hasError } from './syntax-tree.ts'
import { createTreeResolver } from './tree-blocks.ts'

/** A host's resolver for a path; `undefined` selects ours. */
export type CustomBlockResolvers = (path: string) => BlockResolver | undefined

/** The resolver for a file. Rejects only if the chunk of its language cannot be loaded. */
export async function loadBlockResolver(path: string, custom?: CustomBlockResolvers): Promise<BlockResolver> {
  const own = custom?.(path)
  if (own !== undefined) return own
  const language = await loadLanguage(path)
  const plain = createPlainResolver(extensionOf(path))
  return language === undefined ? plain : createTreeResolver(language, plain)
}

/** Checks whether a text parses without errors; `undefined` for a language without a grammar, and for a text too large. */
export async function loadSyntaxCheck(path: string): Promise<SyntaxCheck> {
  const language = await loadLanguage(path)
  if (language === undefined) return () => undefined
  const parse = createDocumentParser(language.parser)
  return (document: TextDocument) => {
    const parsed = parse(document)
    return parsed === undefined ? undefined : !hasError(parsed.tree.topNode)
  }
}
