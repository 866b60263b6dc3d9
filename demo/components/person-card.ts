// A change that somebody else made while the agent worked.

import { css, html, LitElement, type CSSResultGroup, type PropertyDeclarations, type TemplateResult } from 'lit'
import { diffLines } from '../line-diff.ts'
import type { PersonEntry } from '../transcript.ts'
import { diffRow, diffStyles } from './diff-rows.ts'
import { given } from './element.ts'
import { shared } from './styles.ts'

export class PersonCard extends LitElement {
  static override properties: PropertyDeclarations = given('entry')
  static override styles: CSSResultGroup = [
    shared,
    diffStyles,
    css`
      :host {
        display: block;
        border: 1px solid color-mix(in oklab, var(--person) 45%, var(--line));
        border-radius: 8px;
        background: var(--person-ground);
        overflow: clip;
      }
      p {
        padding: 0.55rem 0.8rem;
        color: var(--person);
        font-weight: 600;
      }
      code {
        font-weight: 400;
      }
      .scroll {
        overflow-x: auto;
        padding-block: 0.3rem;
        background: var(--panel);
      }
    `,
  ]

  declare entry: PersonEntry

  protected override render(): TemplateResult {
    const { thought, path, before, after } = this.entry
    return html`<p>${thought} <code>${path}</code></p>
      <div class="scroll" tabindex="0" role="region" aria-label="What changed in ${path}">
        <div class="diff">
          ${diffLines(before, after, 0)
            .rows.filter(row => row.kind !== 'gap')
            .map(diffRow)}
        </div>
      </div>`
  }
}
