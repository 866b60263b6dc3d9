// Beside the session: the chosen file, all changes, source control, or a terminal. Tabs after the ARIA authoring guide.

import { css, html, LitElement, type CSSResultGroup, type PropertyDeclarations, type TemplateResult } from 'lit'
import type { Vfs } from 'anchorage'
import type { FileChange } from '../changed-files.ts'
import type { ShellName } from '../shells.ts'
import type { SourceControl } from '../source-control.ts'
import type { TerminalPlace } from '../terminal/screen.ts'
import { given, tell } from './element.ts'
import { column, shared } from './styles.ts'

const tabs = ['file', 'changes', 'source', 'terminal'] as const
export type CodeTab = (typeof tabs)[number]

/** Fires `tab-chosen` with a {@link CodeTab} as `detail`. */
export class CodePanel extends LitElement {
  static override properties: PropertyDeclarations = given(
    'tab',
    'fs',
    'root',
    'path',
    'version',
    'changes',
    'source',
    'terminal',
    'shell',
    'isShellOpening',
    'containerProblem',
  )
  static override styles: CSSResultGroup = [
    shared,
    column,
    css`
      :host {
        background: var(--panel);
      }
      [role='tablist'] {
        display: flex;
        flex: none;
        gap: 0.2rem;
        height: 2.6rem;
        padding: 0 0.5rem;
        border-bottom: 1px solid var(--line);
      }
      [role='tab'] {
        height: 100%;
        min-width: 0;
        border: 0;
        border-radius: 0;
        background: none;
        color: var(--muted);
        white-space: nowrap;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      [role='tab']:focus-visible {
        outline-offset: -3px;
      }
      [role='tab'][aria-selected='true'] {
        color: var(--text);
        box-shadow: inset 0 -2px var(--accent);
        font-weight: 600;
      }
      .count {
        display: inline-block;
        min-width: 1.5em;
        padding: 0 0.4em;
        border-radius: 99px;
        background: var(--raised);
        color: var(--muted);
        font-size: 12px;
        text-align: center;
      }
      .count.some {
        background: var(--person-ground);
        color: var(--person);
      }
      [role='tabpanel'] {
        display: flex;
        flex: 1;
        flex-direction: column;
        min-height: 0;
      }
      [role='tabpanel'] > * {
        flex: 1;
      }
      [hidden] {
        display: none !important;
      }
    `,
  ]

  declare tab: CodeTab
  declare fs: Vfs | undefined
  declare root: string
  declare path: string | undefined
  declare version: number
  declare changes: ReadonlyMap<string, FileChange>
  declare source: SourceControl | undefined
  declare terminal: TerminalPlace | undefined
  declare shell: ShellName
  declare isShellOpening: boolean
  declare containerProblem: string | undefined

  constructor() {
    super()
    this.tab = 'file'
    this.fs = undefined
    this.root = ''
    this.path = undefined
    this.version = 0
    this.changes = new Map()
    this.source = undefined
    this.terminal = undefined
    this.shell = 'just-bash'
    this.isShellOpening = false
    this.containerProblem = undefined
  }

  protected override render(): TemplateResult {
    const packedText = this.path === undefined ? undefined : this.changes.get(this.path)?.before
    return html`<div role="tablist" aria-label="Code" @keydown=${this.#onKeydown}>
        ${this.#tab('file', html`${this.path?.split('/').at(-1) ?? 'File'}`)}
        ${this.#tab('changes', html`Changes <span class="count ${this.changes.size > 0 ? 'some' : ''}" data-testid="change-count">${this.changes.size}</span>`)}
        ${this.#tab('source', html`Source control`)} ${this.#tab('terminal', html`Terminal`)}
      </div>
      <div role="tabpanel" id="panel-file" aria-labelledby="tab-file" ?hidden=${this.tab !== 'file'}>
        <file-view
          .fs=${this.fs}
          .root=${this.root}
          .path=${this.path}
          .version=${this.version}
          .packedText=${packedText}
        ></file-view>
      </div>
      <div role="tabpanel" id="panel-changes" aria-labelledby="tab-changes" ?hidden=${this.tab !== 'changes'}>
        <changes-view .changes=${this.changes}></changes-view>
      </div>
      <div role="tabpanel" id="panel-source" aria-labelledby="tab-source" ?hidden=${this.tab !== 'source'}>
        <source-control-view
          .control=${this.source}
          .version=${this.version}
          .isShown=${this.tab === 'source'}
        ></source-control-view>
      </div>
      <div role="tabpanel" id="panel-terminal" aria-labelledby="tab-terminal" ?hidden=${this.tab !== 'terminal'}>
        <terminal-view
          .place=${this.terminal}
          .shell=${this.shell}
          .isShellOpening=${this.isShellOpening}
          .containerProblem=${this.containerProblem}
          .isShown=${this.tab === 'terminal'}
        ></terminal-view>
      </div>`
  }

  /** Moves the focus here after the panel that had it was hidden. */
  async focusTab(): Promise<void> {
    await this.updateComplete
    this.renderRoot.querySelector<HTMLElement>(`#tab-${this.tab}`)?.focus()
  }

  #tab(tab: CodeTab, label: TemplateResult): TemplateResult {
    const isSelected = tab === this.tab
    return html`<button
      role="tab"
      id="tab-${tab}"
      data-testid="tab-${tab}"
      aria-selected=${isSelected}
      aria-controls="panel-${tab}"
      tabindex=${isSelected ? 0 : -1}
      @click=${() => this.#choose(tab)}
    >
      ${label}
    </button>`
  }

  #onKeydown(event: KeyboardEvent): void {
    if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return
    event.preventDefault()
    const last = tabs.length - 1
    const index = tabs.indexOf(this.tab)
    const next = { ArrowLeft: index === 0 ? last : index - 1, ArrowRight: index === last ? 0 : index + 1, Home: 0, End: last }[
      event.key
    ]
    const tab = tabs[next ?? index] ?? 'file'
    this.#choose(tab)
    this.renderRoot.querySelector<HTMLElement>(`#tab-${tab}`)?.focus()
  }

  #choose(tab: CodeTab): void {
    tell(this, 'tab-chosen', tab)
  }
}
