// Which lines of which texts a session was shown. An edit is allowed by what the model has seen, so only a successful result adds
// to it: neither a refused call nor a view of other lines may allow the edit that was refused.

import { SizedLru } from '../core/lru.ts'
import type { VfsPath } from '../core/path.ts'
import { ShownTexts, type SavedTexts } from '../text/shown-texts.ts'
import type { Freshness } from './freshness.ts'
import type { OwnMemory } from './own-memory.ts'
import type { StateBudget } from './state-budget.ts'
import { asCount, asList, asPath, asRecord, asText } from './state-parts.ts'

const bytesPerCharacter = 2

type ShownOfPath = readonly [path: VfsPath, shown: ShownTexts]

export class ShownFiles {
  readonly #shown: SizedLru<VfsPath, ShownTexts>

  /** `name` is the name of the toolset, under which the state stores the data. `maxBytes` limits all texts together. */
  constructor(own: OwnMemory, name: string, maxBytes: number) {
    this.#shown = new SizedLru(maxBytes)
    const saved = own.open(name, budget => saveShown(this.#shown.newestFirst(), budget))
    for (const [path, texts] of restoreShown(saved).toReversed()) this.#keep(path, texts)
  }

  /** Records that the model saw the lines from `startIndex` up to `endIndex` of `lines`, which is the whole text. */
  show(path: VfsPath, lines: readonly string[], startIndex: number, endIndex: number): void {
    const texts = this.of(path)
    texts.show(lines, startIndex, endIndex)
    this.#keep(path, texts)
  }

  /** Records that the model changed `before` to `after`, so that it knows the changed lines. */
  change(path: VfsPath, before: readonly string[], after: readonly string[]): void {
    const texts = this.of(path)
    texts.change(before, after)
    this.#keep(path, texts)
  }

  /** The shown lines of a file, as far as they are still in memory. */
  of(path: VfsPath): ShownTexts {
    return this.#shown.get(path) ?? new ShownTexts()
  }

  /** Whether `lines` is the last text that the session saw, as far as it is still in memory. */
  freshness(path: VfsPath, lines: readonly string[]): Freshness {
    const isLatest = this.of(path).isLatest(lines)
    return isLatest === undefined ? 'never-seen' : isLatest ? 'current' : 'changed'
  }

  has(path: VfsPath): boolean {
    return this.#shown.get(path) !== undefined
  }

  #keep(path: VfsPath, texts: ShownTexts): void {
    this.#shown.set(path, texts, texts.characters * bytesPerCharacter + 1)
  }
}

/** The files, newest first, while `budget` has space. A file is saved with everything that was shown of it, or not at all. */
export function saveShown(
  newestFirst: readonly ShownOfPath[],
  budget: StateBudget,
): readonly (readonly [path: VfsPath, saved: SavedTexts])[] {
  return newestFirst
    .map(([path, shown]) => [path, shown.save()] as const)
    .filter(([, { texts }]) => texts.length > 0 && budget.take(...texts))
}

/** Throws `AnchorageError` `toolset-options`. */
export function restoreShown(given: unknown): readonly ShownOfPath[] {
  if (given === undefined) return []
  return asList(given).map(entry => {
    const [path, saved] = asList(entry)
    const { texts, pages } = asRecord(saved)
    return [
      asPath(path),
      ShownTexts.restored({
        texts: asList(texts).map(text => asText(text)),
        pages: asList(pages).map(page => {
          const [textIndex, startIndex, endIndex] = asList(page)
          return [asCount(textIndex), asCount(startIndex), asCount(endIndex)]
        }),
      }),
    ]
  })
}
