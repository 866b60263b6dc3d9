// One call: its reason, tool, arguments, result and duration.

import { css, html, LitElement, nothing, type CSSResultGroup, type PropertyDeclarations, type TemplateResult } from 'lit'
import type { ContentBlock } from 'anchorage'
import { formatDuration } from '../format.ts'
import type { CallEntry, CallState } from '../transcript.ts'
import { given } from './element.ts'
import { shared } from './styles.ts'

export class CallCard extends LitElement {
  static override properties: PropertyDeclarations = given('entry')
  static override styles: CSSResultGroup = [
    shared,
    css`
      :host {
        display: block;
        border: 1px solid var(--line);
        border-radius: 8px;
        background: var(--panel);
        overflow: clip;
      }
      :host([data-outcome='refused']) {
        border-color: color-mix(in oklab, var(--removed) 55%, var(--line));
      }
      .thought {
        padding: 0.55rem 0.8rem 0;
        color: var(--muted);
      }
      header {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.3rem 0.6rem;
        padding: 0.45rem 0.8rem;
      }
      .tool {
        font: 600 13px var(--mono);
      }
      .time {
        margin-inline-start: auto;
        color: var(--muted);
        font-variant-numeric: tabular-nums;
      }
      .badge {
        padding: 0.05rem 0.5rem;
        border: 1px solid currentColor;
        border-radius: 99px;
        font-size: 12px;
        font-weight: 600;
      }
      .ok {
        color: var(--added);
      }
      .refused,
      .failed {
        color: var(--removed);
      }
      .aborted,
      .hand {
        color: var(--person);
      }
      .running {
        color: var(--accent);
      }
      dl {
        display: grid;
        grid-template-columns: max-content minmax(0, 1fr);
        gap: 0.1rem 0.8rem;
        margin: 0;
        padding: 0 0.8rem 0.55rem;
      }
      dt {
        color: var(--muted);
      }
      dd {
        margin: 0;
        overflow: auto;
        max-height: 14rem;
      }
      .result {
        border-top: 1px solid var(--line);
        background: var(--raised);
      }
      .refused-result {
        background: var(--removed-ground);
      }
      img {
        display: block;
        max-width: 100%;
        padding: 0.7rem;
      }
      .message {
        padding: 0.5rem 0.8rem;
        white-space: pre-wrap;
      }
    `,
  ]

  declare entry: CallEntry

  protected override render(): TemplateResult {
    const { state, thought, tool, args, origin } = this.entry
    this.dataset['outcome'] = outcomeOf(state)
    return html`
      ${thought === undefined ? nothing : html`<p class="thought">${thought}</p>`}
      <header>
        <span class="tool">${tool}</span>
        ${origin === 'hand' ? html`<span class="badge hand">by hand</span>` : nothing} ${this.#badges(state)}
        <span class="time">${state.kind === 'running' ? 'running …' : formatDuration(state.durationMs)}</span>
      </header>
      <dl class="mono" data-testid="args">${this.#args(args)}</dl>
      ${this.#outcome(state)}
    `
  }

  #badges(state: CallState): TemplateResult {
    const outcome = outcomeOf(state)
    const exitCode = state.kind === 'done' ? state.result.details['exitCode'] : undefined
    return html`<span class="badge ${outcome}" data-testid="outcome">${outcome}</span>
      ${typeof exitCode === 'number' ? html`<span class="badge ${exitCode === 0 ? 'ok' : 'refused'}" data-testid="exit-code">exit ${exitCode}</span>` : nothing}`
  }

  #args(args: unknown): TemplateResult | TemplateResult[] {
    if (typeof args !== 'object' || args === null)
      return html`<dt>args</dt>
        <dd><pre>${JSON.stringify(args)}</pre></dd>`
    return Object.entries(args).map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd><pre>${shown(value)}</pre></dd>`,
    )
  }

  #outcome(state: CallState): TemplateResult | typeof nothing {
    switch (state.kind) {
      case 'running':
        return state.partialText === ''
          ? nothing
          : html`<div class="result"><result-text .text=${state.partialText}></result-text></div>`
      case 'done':
        return html`<div class="result ${state.result.isError ? 'refused-result' : ''}">
          ${state.result.content.map(block => this.#block(block))}
        </div>`
      case 'aborted':
        return html`<p class="message">Aborted. The page waits no longer; nothing half-written is left.</p>`
      case 'failed':
        return html`<p class="message" role="alert">${state.message}</p>`
    }
  }

  #block(block: ContentBlock): TemplateResult {
    return block.type === 'text'
      ? html`<result-text
          .text=${block.text}
          .isDiff=${this.entry.tool.startsWith('edit')}
          .label=${`Result of ${this.entry.tool}`}
        ></result-text>`
      : html`<img src="data:${block.mimeType};base64,${block.data}" alt="What ${this.entry.tool} shows" />`
  }
}

/** A string as it is, so that a script keeps its lines; any other value as JSON, on one line where it fits. */
function shown(value: unknown): string {
  if (typeof value === 'string') return value
  const compact = JSON.stringify(value)
  return compact.length <= 80 ? compact : JSON.stringify(value, null, 2)
}

function outcomeOf(state: CallState): 'running' | 'ok' | 'refused' | 'aborted' | 'failed' {
  switch (state.kind) {
    case 'done':
      return state.result.isError ? 'refused' : 'ok'
    case 'running':
    case 'aborted':
    case 'failed':
      return state.kind
  }
}
