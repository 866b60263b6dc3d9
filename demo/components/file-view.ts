// A file as it is now, read through the workspace each time it may have changed.

import {
  css,
  html,
  LitElement,
  type CSSResultGroup,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit'
import type { Vfs } from 'anchorage'
import { formatBytes, formatCount, messageOf } from '../format.ts'
import { diffLines } from '../line-diff.ts'
import { textOf } from '../text-of.ts'
import { given, own } from './element.ts'
import { column, shared } from './styles.ts'

/** The most lines that are drawn; a note says when there are more. */
const maxShownLines = 10_000

type Content =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly text: string; readonly sizeBytes: number; readonly sha256: string }
  | { readonly kind: 'binary'; readonly sizeBytes: number; readonly sha256: string }
  | { readonly kind: 'problem'; readonly message: string }

export class FileView extends LitElement {
  static override properties: PropertyDeclarations = {
    ...given('fs', 'root', 'path', 'version', 'packedText'),
    ...own('content'),
  }
  static override styles: CSSResultGroup = [
    shared,
    column,
    css`
      .scroll {
        flex: 1;
        min-height: 0;
        overflow: auto;
        padding-block: 0.5rem;
      }
      pre {
        width: max-content;
        min-width: 100%;
      }
      .line {
        display: block;
        padding-inline-end: 1rem;
        content-visibility: auto;
        contain-intrinsic-size: auto 19.4px;
      }
      .line::before {
        content: attr(data-line);
        display: inline-block;
        width: 3.6em;
        margin-inline-end: 0.9em;
        padding-inline-end: 0.6em;
        border-inline-end: 3px solid transparent;
        text-align: end;
        color: var(--muted);
        user-select: none;
      }
      .line.new {
        background: var(--added-ground);
      }
      .line.new::before {
        border-color: var(--added);
      }
      .facts {
        display: flex;
        gap: 0.9rem;
        padding: 0.4rem 0.9rem;
        border-top: 1px solid var(--line);
        color: var(--muted);
        font-size: 12px;
        white-space: nowrap;
        overflow: hidden;
      }
      .hash {
        min-width: 0;
        overflow: hidden;
        text-overflow: ellipsis;
      }
    `,
  ]

  declare fs: Vfs | undefined
  declare root: string
  declare path: string | undefined
  declare version: number
  /** The text as it was packed; lines that differ from it are marked. */
  declare packedText: string | undefined
  declare content: Content
  /** The path that `content` was read from; `path` may have changed since. */
  #shownPath: string | undefined
  #loadCount = 0

  constructor() {
    super()
    this.fs = undefined
    this.root = ''
    this.path = undefined
    this.version = 0
    this.packedText = undefined
    this.content = { kind: 'nothing' }
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('fs') || changed.has('path') || changed.has('version')) void this.#load()
  }

  async #load(): Promise<void> {
    const { fs, path } = this
    const load = ++this.#loadCount
    const content: Content =
      fs === undefined || path === undefined ? { kind: 'nothing' } : await contentOf(fs, `${this.root}/${path}`)
    // Another file may have been chosen, or this one changed, while it was read.
    if (load !== this.#loadCount) return
    const before = this.#shownPath === path && this.content.kind === 'text' ? this.content.text : undefined
    const isOther = this.#shownPath !== path
    this.#shownPath = path
    this.content = content
    await this.updateComplete
    if (isOther) this.renderRoot.querySelector('.scroll')?.scrollTo({ top: 0, left: 0 })
    else if (before !== undefined && content.kind === 'text' && content.text !== before) this.#follow(before, content.text)
  }

  /** Scrolls to the first changed line. */
  #follow(before: string, after: string): void {
    const row = diffLines(before, after, 0).rows.find(({ kind }) => kind === 'added')
    if (row?.kind === 'added')
      this.renderRoot.querySelector(`[data-line="${row.newNumber}"]`)?.scrollIntoView({ block: 'center' })
  }

  protected override render(): TemplateResult {
    const { content } = this
    switch (content.kind) {
      case 'nothing':
        return html`<p class="note">Choose a file in the tree.</p>`
      case 'problem':
        return html`<p class="note" role="alert">${content.message}</p>`
      case 'binary':
        return html`<p class="note">This file is not text.</p>
          ${this.#facts([formatBytes(content.sizeBytes)], content.sha256)}`
      case 'text':
        return this.#text(content.text, content.sizeBytes, content.sha256)
    }
  }

  #text(text: string, sizeBytes: number, sha256: string): TemplateResult {
    const lines = text.split(/(?<=\n)/)
    const shown = text === '' ? [] : lines.slice(0, maxShownLines)
    const isNew = this.#newLines(text)
    const facts = [
      formatCount(text === '' ? 0 : lines.length, 'line', 'lines'),
      formatBytes(sizeBytes),
      lineEndingsOf(text),
      ...(lines.length > shown.length && text !== '' ? [`only the first ${maxShownLines} lines are shown`] : []),
    ]
    // No white space between the tags: the text of <pre> is the text of the file.
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${this.#shownPath ?? ''}>
        <pre data-testid="file-text">
${shown.map((line, index) => html`<span class="line ${isNew.has(index + 1) ? 'new' : ''}" data-line=${index + 1}>${line}</span>`)}</pre>
      </div>
      ${this.#facts(facts, sha256)}`
  }

  #newLines(text: string): ReadonlySet<number> {
    if (this.packedText === undefined || this.packedText === text) return new Set()
    return new Set(diffLines(this.packedText, text).rows.flatMap(row => (row.kind === 'added' ? [row.newNumber] : [])))
  }

  #facts(facts: readonly string[], sha256: string): TemplateResult {
    return html`<div class="facts" data-testid="file-facts" data-path=${this.#shownPath ?? ''}>
      ${facts.map(fact => html`<span>${fact}</span>`)}
      <span class="hash mono" title="SHA-256 of the bytes" data-testid="file-hash">${sha256}</span>
    </div>`
  }
}

async function contentOf(fs: Vfs, path: string): Promise<Content> {
  try {
    const bytes = await fs.readFile(path)
    const sha256 = await hashOf(bytes)
    const text = textOf(bytes)
    return text === undefined
      ? { kind: 'binary', sizeBytes: bytes.length, sha256 }
      : { kind: 'text', text, sizeBytes: bytes.length, sha256 }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { kind: 'problem', message: 'This file no longer exists.' }
    return { kind: 'problem', message: `This file cannot be shown: ${messageOf(error)}` }
  }
}

/** Empty where the page has no secure context: hashing is for comparing only. */
async function hashOf(bytes: Uint8Array): Promise<string> {
  if (!isSecureContext) return ''
  const digest = await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes))
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('')
}

function lineEndingsOf(text: string): string {
  const crlf = text.split('\r\n').length - 1
  const lf = text.split('\n').length - 1 - crlf
  const kinds = [...(lf > 0 ? ['LF'] : []), ...(crlf > 0 ? ['CRLF'] : [])].join(' and ')
  return text === '' || text.endsWith('\n') ? kinds || 'no line ends' : `${kinds || 'one line'}, no final newline`
}
