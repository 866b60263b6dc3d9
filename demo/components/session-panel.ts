// The session: what the agent was asked, the buttons that play it, and everything that happened, newest last.

import {
  css,
  html,
  LitElement,
  nothing,
  type CSSResultGroup,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { formatCount } from '../format.ts'
import type { SessionStep } from '../scripts/step.ts'
import { task } from '../scripts/task.ts'
import type { PlayerState } from '../session-player.ts'
import type { ToolsetName } from 'anchorage'
import type { TranscriptEntry } from '../transcript.ts'
import { given, tell } from './element.ts'
import { column, shared } from './styles.ts'

interface Button {
  readonly testId: string
  readonly label: string
  readonly wish: string
  readonly isPrimary?: boolean
  /** Shown, but pressing it has no effect. */
  readonly isOff?: boolean
}

/** Fires `session-play`, `session-pause`, `session-step`, `session-reset` and `session-again`. */
export class SessionPanel extends LitElement {
  static override properties: PropertyDeclarations = given(
    'entries',
    'state',
    'playedCount',
    'steps',
    'needsReset',
    'toolset',
    'isOpen',
  )
  static override styles: CSSResultGroup = [
    shared,
    column,
    css`
      .top {
        padding: 0.8rem 0.9rem 0.7rem;
        border-bottom: 1px solid var(--line);
        background: var(--panel);
      }
      .task {
        font-size: 15px;
        font-weight: 600;
        text-wrap: pretty;
      }
      .task span {
        display: block;
        color: var(--muted);
        font-size: 12px;
        font-weight: 500;
      }
      .controls {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem;
        margin-top: 0.6rem;
      }
      .play {
        min-width: 6.6rem;
      }
      .status {
        color: var(--muted);
        font-variant-numeric: tabular-nums;
      }
      /* The dots are hidden before they need a separate line. */
      .dots {
        display: flex;
        flex: 1 1 6rem;
        justify-content: flex-end;
        gap: 4px;
      }
      .dots i {
        flex: 0 1 14px;
        height: 4px;
        border-radius: 2px;
        background: var(--line);
      }
      .dots i.played {
        background: var(--accent);
      }
      .dots i.person.played {
        background: var(--person);
      }
      .log {
        flex: 1;
        min-height: 0;
        overflow: auto;
        padding: 0.9rem;
        display: flex;
        flex-direction: column;
        gap: 0.7rem;
        overscroll-behavior: contain;
      }
      .log > * {
        flex: none;
      }
      .outline {
        max-width: 44rem;
        color: var(--muted);
      }
      .outline p {
        margin-bottom: 0.9rem;
        text-wrap: pretty;
      }
      .outline ol {
        display: grid;
        grid-template-columns: minmax(4.6rem, max-content) minmax(0, 1fr);
        gap: 0.45rem 0.6rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .outline li {
        display: grid;
        grid-column: 1 / -1;
        grid-template-columns: subgrid;
        align-items: baseline;
      }
      .outline b {
        font: 600 12.5px var(--mono);
        color: var(--accent);
        text-align: end;
      }
      .outline .person b {
        color: var(--person);
      }
      .notice,
      .stuck {
        padding: 0.6rem 0.8rem;
        border: 1px solid var(--line);
        border-radius: 8px;
        background: var(--person-ground);
        color: var(--person);
        white-space: pre-wrap;
      }
    `,
  ]

  declare entries: readonly TranscriptEntry[]
  declare state: PlayerState | undefined
  declare playedCount: number
  declare steps: readonly SessionStep[]
  /** The task's files differ from the packed ones, so the session cannot start: it would not find the text that it looks for. */
  declare needsReset: boolean
  declare toolset: ToolsetName
  declare isOpen: boolean

  constructor() {
    super()
    this.entries = []
    this.state = undefined
    this.playedCount = 0
    this.steps = []
    this.needsReset = false
    this.toolset = 'atomic'
    this.isOpen = false
  }

  protected override render(): TemplateResult {
    const kind = this.state?.kind
    return html`<div class="top">
        <toolset-switch .toolset=${this.toolset} .isDisabled=${!this.isOpen}></toolset-switch>
        <p class="task"><span>The agent was asked</span>${task}</p>
        <div class="controls">
          ${this.#playButton()}
          ${this.#button({ testId: 'step', label: 'Step', wish: 'session-step', isOff: kind !== 'ready' || this.needsReset })}
          ${this.#button({ testId: 'reset', label: 'Reset', wish: 'session-reset', isOff: kind === undefined })}
          <span class="status" role="status" data-testid="status">${this.#status()}</span>
          <span class="dots" aria-hidden="true">
            ${this.steps.map((step, index) => html`<i class="${step.actor} ${index < this.playedCount ? 'played' : ''}"></i>`)}
          </span>
        </div>
      </div>
      <div class="log" role="log" aria-label="Session" aria-live="polite" tabindex="0" data-testid="log">
        ${
          this.entries.length === 0
            ? this.#outline()
            : repeat(
                this.entries,
                entry => entry.id,
                entry => this.#entry(entry),
              )
        }
        ${this.state?.kind === 'stuck' ? html`<p class="stuck" role="alert" data-testid="stuck">${this.state.why}</p>` : nothing}
      </div>
      <slot></slot>`
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('entries')) requestAnimationFrame(() => this.#showNewest())
  }

  protected override firstUpdated(): void {
    const log = this.renderRoot.querySelector('.log')
    // Opening the form makes the log smaller; its end stays in sight.
    if (log !== null) new ResizeObserver(() => this.#showNewest()).observe(log)
  }

  /** Scrolls to the newest entry, or to its beginning where it is taller than the log. */
  #showNewest(): void {
    const log = this.renderRoot.querySelector<HTMLElement>('.log')
    const newest = log?.lastElementChild
    if (log == null || newest == null || this.entries.length === 0) return
    const isTall = newest.getBoundingClientRect().height > log.clientHeight
    newest.scrollIntoView({ block: isTall ? 'start' : 'end' })
    if (!isTall) log.scrollTo({ top: log.scrollHeight })
  }

  #entry(entry: TranscriptEntry): TemplateResult {
    switch (entry.kind) {
      case 'call':
        return html`<call-card data-testid="entry" data-tool=${entry.tool} .entry=${entry}></call-card>`
      case 'person':
        return html`<person-card data-testid="entry" data-tool="person" .entry=${entry}></person-card>`
      case 'notice':
        return html`<p class="notice" data-testid="notice">${entry.text}</p>`
    }
  }

  #playButton(): TemplateResult {
    switch (this.needsReset ? 'finished' : this.state?.kind) {
      case 'playing':
        return this.#button({ testId: 'pause', label: 'Pause', wish: 'session-pause', isPrimary: true })
      case 'finished': {
        const label = this.needsReset ? 'Reset and play' : 'Play again'
        return this.#button({ testId: 'again', label, wish: 'session-again', isPrimary: true })
      }
      case undefined:
      case 'ready':
      case 'stepping':
      case 'stuck': {
        const isOff = this.state?.kind !== 'ready'
        return this.#button({ testId: 'play', label: 'Play', wish: 'session-play', isPrimary: true, isOff })
      }
    }
  }

  /** One template for all states, and never `disabled`, so that the button keeps the focus. */
  #button({ testId, label, wish, isPrimary = false, isOff = false }: Button): TemplateResult {
    const press = (): void => {
      if (!isOff) tell(this, wish)
    }
    return html`<button class=${isPrimary ? 'primary play' : ''} data-testid=${testId} aria-disabled=${isOff} @click=${press}>
      ${label}
    </button>`
  }

  #status(): string {
    const of = `${this.playedCount} of ${this.steps.length}`
    switch (this.state?.kind) {
      case undefined:
        return ''
      case 'ready':
        return this.playedCount === 0 ? formatCount(this.steps.length, 'step', 'steps') : `Step ${of}`
      case 'playing':
      case 'stepping':
        return `Step ${of} …`
      case 'finished':
        return `Finished, ${of}`
      case 'stuck':
        return `Stopped at step ${of}`
    }
  }

  #outline(): TemplateResult {
    return html`<div class="outline">
      <p>
        A scripted session on this project's own sources, through the same tools that a model calls. Every argument is computed
        from the results before it, and every result is shown exactly as a model sees it. Play it, go through it step by step,
        choose another toolset above, or call the tools yourself below: samples/README.md names an archive, a database, a
        notebook, documents and a picture to read.
      </p>
      <ol>
        ${this.steps.map(step => html`<li class=${step.actor}><b>${step.actor === 'agent' ? step.tool : 'person'}</b><span>${step.thought}</span></li>`)}
      </ol>
    </div>`
  }
}
