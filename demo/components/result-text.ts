// The text of a result exactly as the model sees it, byte for byte: classes give the colours, and folding hides lines
// without removing them.

import { css, html, LitElement, nothing, type CSSResultGroup, type PropertyDeclarations, type TemplateResult } from 'lit'
import { lineKind } from '../read-result.ts'
import { formatCount } from '../format.ts'
import { given, own } from './element.ts'
import { shared } from './styles.ts'

const foldedLines = 14

export class ResultText extends LitElement {
  static override properties: PropertyDeclarations = { ...given('text', 'isDiff', 'label'), ...own('isOpen') }
  static override styles: CSSResultGroup = [
    shared,
    css`
      :host {
        display: block;
      }
      pre {
        padding: 0.45rem 0;
        overflow: auto;
        max-height: 70vh;
      }
      pre.folded {
        max-height: ${foldedLines * 1.55 * 12.5 + 14}px;
        overflow-y: hidden;
        mask-image: linear-gradient(#000 calc(100% - 2.5rem), transparent);
      }
      .line {
        display: block;
        width: max-content;
        min-width: 100%;
        padding-inline: 0.7rem;
      }
      .header {
        color: var(--accent);
        font-weight: 600;
      }
      .match {
        background: var(--match-ground);
        box-shadow: inset 3px 0 var(--person);
      }
      .added {
        background: var(--added-ground);
        color: var(--added);
      }
      .removed {
        background: var(--removed-ground);
        color: var(--removed);
      }
      .plain {
        width: auto;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
    `,
  ]

  declare text: string
  /** Rows that start with a sign are the diff of an edit. */
  declare isDiff: boolean
  declare label: string
  declare isOpen: boolean

  constructor() {
    super()
    this.text = ''
    this.isDiff = false
    this.label = 'Result'
    this.isOpen = false
  }

  protected override render(): TemplateResult {
    const lines = this.text.split('\n')
    const isLong = lines.length > foldedLines + 4
    const isFolded = isLong && !this.isOpen
    // The log is a live region: only the head of each entry is announced, because the text is long.
    // No white space may come between the tags: it would be part of the text.
    return html`<pre
        class=${isFolded ? 'folded' : ''}
        tabindex="0"
        role="region"
        aria-live="off"
        aria-label=${this.label}
        data-testid="result"
      >
${lines.map((line, index) => html`<span class="line ${lineKind(line, this.isDiff)}">${line}${index < lines.length - 1 ? '\n' : ''}</span>`)}</pre>
      ${
        isLong
          ? html`<button class="quiet" aria-expanded=${this.isOpen} @click=${() => (this.isOpen = !this.isOpen)}>
              ${this.isOpen ? 'Show less' : `Show all ${formatCount(lines.length, 'line', 'lines')}`}
            </button>`
          : nothing
      }`
  }
}
