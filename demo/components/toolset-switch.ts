// Radio buttons that choose the agent's toolset, with one line about each.

import { toolsets, type ToolsetName } from 'anchorage'
import { css, html, LitElement, type CSSResultGroup, type PropertyDeclarations, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { given, tell } from './element.ts'
import { shared } from './styles.ts'

/** Fires `toolset-chosen` with its name as `detail`. */
export class ToolsetSwitch extends LitElement {
  static override properties: PropertyDeclarations = given('toolset', 'isDisabled')
  static override styles: CSSResultGroup = [
    shared,
    css`
      fieldset {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.3rem 0.7rem;
        margin: 0 0 0.7rem;
        padding: 0;
        border: 0;
      }
      legend {
        float: inline-start;
        padding: 0;
        color: var(--muted);
        font-size: 12px;
        font-weight: 500;
      }
      .toolsets {
        display: flex;
        border: 1px solid var(--line-strong);
        border-radius: 6px;
        overflow: clip;
      }
      .toolsets label + label {
        border-inline-start: 1px solid var(--line);
      }
      .toolsets span {
        display: block;
        padding: 0.18rem 0.6rem;
        font: 12.5px var(--mono);
        cursor: pointer;
      }
      .toolsets input {
        position: absolute;
        opacity: 0;
        pointer-events: none;
      }
      .toolsets label:hover span {
        background: var(--accent-ground);
      }
      .toolsets input:checked + span {
        background: var(--accent);
        color: var(--on-accent);
        font-weight: 600;
      }
      .toolsets input:focus-visible + span {
        outline: 2px solid var(--accent);
        outline-offset: -4px;
        outline-color: currentColor;
      }
      .facts {
        color: var(--muted);
        font-size: 13px;
      }
      a.facts {
        color: var(--accent);
      }
    `,
  ]

  declare toolset: ToolsetName
  declare isDisabled: boolean

  constructor() {
    super()
    this.toolset = 'atomic'
    this.isDisabled = false
  }

  protected override render(): TemplateResult {
    return html`<fieldset ?disabled=${this.isDisabled}>
      <legend>Tools</legend>
      <div class="toolsets">
        ${toolsets.map(
          ({ name, summary }) =>
            html`<label title=${summary}>
              <input
                type="radio"
                name="toolset"
                data-testid="toolset-${name}"
                .checked=${live(name === this.toolset)}
                aria-describedby="toolset-facts"
                @change=${() => this.#choose(name)}
              /><span>${name}</span>
            </label>`,
        )}
      </div>
      <span class="facts" id="toolset-facts">${toolsets.find(({ name }) => name === this.toolset)?.summary}</span>
      <a class="facts" href="./reference.html#${this.toolset}">Reference</a>
    </fieldset>`
  }

  #choose(detail: ToolsetName): void {
    tell(this, 'toolset-chosen', detail)
  }
}
