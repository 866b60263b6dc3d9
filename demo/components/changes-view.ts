// All differences from the packed files, by any author.

import { css, html, LitElement, nothing, type CSSResultGroup, type PropertyDeclarations, type TemplateResult } from 'lit'
import type { FileChange } from '../changed-files.ts'
import { diffLines } from '../line-diff.ts'
import { diffRow, diffStyles } from './diff-rows.ts'
import { given } from './element.ts'
import { shared } from './styles.ts'

/** The most rows that are drawn for one file; the others are counted. */
const maxRows = 2_000

export class ChangesView extends LitElement {
  static override properties: PropertyDeclarations = given('changes')
  static override styles: CSSResultGroup = [
    shared,
    diffStyles,
    css`
      :host {
        display: block;
        overflow: auto;
        min-height: 0;
      }
      h3 {
        position: sticky;
        inset-block-start: 0;
        display: flex;
        gap: 0.6rem;
        padding: 0.45rem 0.9rem;
        border-bottom: 1px solid var(--line);
        background: var(--panel);
        font: 600 12.5px var(--mono);
      }
      .path {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .counts {
        margin-inline-start: auto;
        white-space: nowrap;
      }
      .plus {
        color: var(--added);
      }
      .minus {
        color: var(--removed);
      }
      .scroll {
        overflow-x: auto;
        padding-block: 0.4rem 0.9rem;
      }
    `,
  ]

  declare changes: ReadonlyMap<string, FileChange>

  constructor() {
    super()
    this.changes = new Map()
  }

  protected override render(): TemplateResult {
    if (this.changes.size === 0) return html`<p class="note">Nothing differs from the files as they were packed.</p>`
    return html`${[...this.changes].sort(([one], [other]) => (one < other ? -1 : 1)).map(([path, change]) => this.#file(path, change))}`
  }

  #file(path: string, change: FileChange): TemplateResult {
    if (!change.isText) {
      return html`<section data-testid="diff" data-path=${path}>
        <h3><span class="path">${path}</span><span class="counts">${change.kind}</span></h3>
        <p class="note">This file is not text, so there are no lines to compare.</p>
      </section>`
    }
    const diff = diffLines(change.before, change.after)
    return html`<section data-testid="diff" data-path=${path}>
      <h3>
        <span class="path">${path}</span>
        <span class="counts"
          >${change.kind} <span class="plus">+${diff.addedCount}</span> <span class="minus">−${diff.removedCount}</span></span
        >
      </h3>
      <div class="scroll" tabindex="0" role="region" aria-label="Changes of ${path}">
        <div class="diff">${diff.rows.slice(0, maxRows).map(diffRow)}</div>
        ${diff.rows.length > maxRows ? html`<p class="note">${diff.rows.length - maxRows} more rows are not shown.</p>` : nothing}
        ${diff.isCoarse ? html`<p class="note">Too much changed to compare line by line; the changed part is shown whole.</p>` : nothing}
      </div>
    </section>`
  }
}
