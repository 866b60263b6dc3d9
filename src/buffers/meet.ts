// Joins the text of an editor with what is on disk, or with the text of an earlier editor.

import type { Attribution } from '../core/actor.ts'
import { defined } from '../core/record.ts'
import { mergeTexts } from '../text/merge.ts'
import { textDifference } from '../text/text-difference.ts'
import type { UnsavedText } from './buffer.ts'
import type { BufferDocument } from './document.ts'
import { formAfter, isSameText } from './editor-text.ts'
import { alsoOpen } from './failures.ts'
import type { StoredFile } from './stored-file.ts'

/** For a text that was in a file at an unknown time. */
const unknownRev = -1

/** The text and what is on disk become one, or are at odds. */
export function meetStored(document: BufferDocument, found: StoredFile | undefined, by: Attribution | undefined): void {
  const { stored } = document
  if (found === undefined) {
    if (document.conflict?.kind === 'removed') return
    document.store(stored, stored === undefined ? undefined : { kind: 'removed', ...defined({ by }) })
    return
  }
  if (found.kind !== 'text') {
    if (document.conflict?.kind !== 'not-text') document.store(stored, { kind: 'not-text', ...defined({ by }) })
    return
  }
  const theirs = found.text
  const isKnown = stored !== undefined && stored.rev === theirs.rev
  if (isKnown && document.conflict === undefined) return
  if (stored !== undefined && isSameText(stored, theirs)) return document.store(theirs)
  const ours = document.content
  const merged = stored === undefined ? undefined : mergeTexts(stored.text, ours.text, theirs.text)
  const agreed = ours.text === theirs.text ? ours.text : merged?.kind === 'merged' ? merged.text : undefined
  if (agreed === undefined) {
    const { conflict } = document
    if (conflict?.kind === 'changed' && conflict.text === theirs.text) return
    document.store(stored, { kind: 'changed', text: theirs.text, ...defined({ by }) })
    return
  }
  const form = formAfter(theirs.form, textDifference(theirs.text, agreed), agreed)
  if (agreed !== ours.text) document.change(document.version, textDifference(ours.text, agreed), by)
  document.reform(form)
  document.store(theirs)
}

/** The text of an earlier editor that was never saved comes back. What became of its file since is like any change on disk. */
export function resumeText(document: BufferDocument, { base, text }: UnsavedText, by: Attribution): void {
  const { stored, content } = document
  if (content.text === text) return
  if (document.editorCount > 0) {
    const merged = mergeTexts(base, content.text, text)
    if (merged.kind === 'conflict') throw alsoOpen(document.path)
    return document.change(document.version, textDifference(content.text, merged.text), by)
  }
  document.change(document.version, textDifference(content.text, text), by)
  // A file that never was is not missing.
  if (stored === undefined && base === '') return
  document.store({ text: base, form: content.form, rev: unknownRev })
  meetStored(document, stored === undefined ? undefined : { kind: 'text', text: stored }, undefined)
}
