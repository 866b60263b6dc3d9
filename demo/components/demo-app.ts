// The frame of the page: passes the workbench's state to the panels, and their events back to the workbench.

import type { ToolsetName } from 'anchorage'
import { css, html, LitElement, nothing, svg, type CSSResultGroup, type PropertyDeclarations, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import type { FileChange } from '../changed-files.ts'
import { formatBytes, formatCount, formatDuration } from '../format.ts'
import { scripts } from '../scripts/scripts.ts'
import { limitsPath } from '../scripts/task.ts'
import type { ShellName } from '../shells.ts'
import { Workbench, type Phase } from '../workbench.ts'
import type { CodePanel, CodeTab } from './code-panel.ts'
import type { HandCall } from './hand-form.ts'
import { own } from './element.ts'
import { shared } from './styles.ts'

const panes = ['files', 'session', 'code'] as const
type Pane = (typeof panes)[number]

export class DemoApp extends LitElement {
  static override properties: PropertyDeclarations = own('selected', 'tab', 'pane')
  static override styles: CSSResultGroup = [
    shared,
    css`
      :host {
        display: grid;
        grid-template: auto auto minmax(0, 1fr) / minmax(0, 1fr);
        container-type: inline-size;
      }
      header {
        display: flex;
        align-items: center;
        gap: 0.6rem 1rem;
        min-height: 3.2rem;
        padding: 0.35rem 0.9rem;
        border-bottom: 1px solid var(--line);
        background: var(--panel);
      }
      h1 {
        display: flex;
        align-items: center;
        gap: 0.5rem;
        font-size: 17px;
        letter-spacing: -0.01em;
      }
      h1 svg {
        width: 1.35rem;
        height: 1.35rem;
        fill: none;
        stroke: var(--accent);
        stroke-width: 2.2;
        stroke-linecap: round;
        stroke-linejoin: round;
      }
      .tagline {
        color: var(--muted);
      }
      .facts {
        min-width: 0;
        margin-inline-start: auto;
        color: var(--muted);
        white-space: nowrap;
        overflow: hidden;
        text-overflow: ellipsis;
        font-variant-numeric: tabular-nums;
      }
      .keep {
        display: flex;
        flex: none;
        align-items: center;
        gap: 0.35rem;
        color: var(--muted);
        white-space: nowrap;
      }
      .keep input {
        margin: 0;
        accent-color: var(--accent);
      }
      .reference {
        flex: none;
        color: var(--accent);
      }
      theme-switch {
        flex: none;
      }
      nav {
        display: none;
        gap: 0.4rem;
        padding: 0.4rem 0.9rem;
        border-bottom: 1px solid var(--line);
        background: var(--panel);
      }
      nav button {
        flex: 1;
        border-color: var(--line);
        text-transform: capitalize;
      }
      nav button[aria-pressed='true'] {
        background: var(--accent-ground);
        border-color: var(--accent);
        color: var(--accent);
        font-weight: 600;
      }
      main {
        grid-row: 3;
        display: grid;
        grid-template: minmax(0, 1fr) / 15.5rem minmax(0, 1.12fr) minmax(0, 1fr);
        min-height: 0;
      }
      .files {
        display: flex;
        flex-direction: column;
        min-height: 0;
        border-inline-end: 1px solid var(--line);
        background: var(--panel);
      }
      h2 {
        padding: 0.7rem 0.9rem 0.3rem;
        color: var(--muted);
        font-size: 12px;
        font-weight: 600;
      }
      file-tree {
        flex: 1;
        min-height: 0;
      }
      session-panel {
        container-type: inline-size;
      }
      code-panel {
        border-inline-start: 1px solid var(--line);
      }
      .failed {
        grid-column: 1 / -1;
        align-self: start;
        justify-self: center;
        display: grid;
        gap: 0.5rem;
        max-width: 40rem;
        margin: 2rem 0.9rem;
        padding: 1rem 1.2rem;
        border: 1px solid var(--removed);
        border-radius: 8px;
        background: var(--removed-ground);
      }
      .failed h2 {
        padding: 0;
        color: var(--removed);
        font-size: 15px;
      }
      .failed p {
        overflow-wrap: anywhere;
      }
      .failed button {
        justify-self: start;
        margin-top: 0.3rem;
      }
      @container (width < 70rem) {
        nav {
          display: flex;
        }
        nav .to-files {
          display: none;
        }
        main {
          grid-template-columns: 14rem minmax(0, 1fr);
        }
        main[data-pane='code'] session-panel,
        main:not([data-pane='code']) code-panel {
          display: none;
        }
        code-panel {
          border: 0;
        }
      }
      @container (width < 44rem) {
        nav .to-files {
          display: block;
        }
        main {
          grid-template-columns: minmax(0, 1fr);
        }
        .files {
          border: 0;
        }
        main[data-pane='files'] session-panel,
        main:not([data-pane='files']) .files {
          display: none;
        }
        .tagline {
          display: none;
        }
        header {
          flex-wrap: wrap;
          gap: 0.2rem 0.6rem;
        }
        .keep {
          margin-inline-start: auto;
        }
        /* A separate line during a wait; afterwards only for screen readers. */
        .facts {
          order: 1;
          flex-basis: 100%;
          margin: 0;
          font-size: 12px;
        }
        .facts.open {
          position: absolute;
          width: 1px;
          height: 1px;
          clip-path: inset(50%);
        }
      }
    `,
  ]

  declare selected: string | undefined
  declare tab: CodeTab
  declare pane: Pane
  readonly #bench: Workbench = new Workbench()
  #wasFinished = false

  constructor() {
    super()
    this.selected = limitsPath
    this.tab = 'file'
    this.pane = 'session'
    this.#bench.addEventListener('change', () => {
      const isFinished = this.#bench.phase.kind === 'open' && this.#bench.phase.open.session.player.state.kind === 'finished'
      // The outcome of the session, announced once when it ends.
      if (isFinished && !this.#wasFinished && this.tab === 'file') this.tab = 'changes'
      this.#wasFinished = isFinished
      this.requestUpdate()
    })
  }

  override connectedCallback(): void {
    super.connectedCallback()
    void this.#bench.open('stored')
    // A WebContainer needs cross-origin isolation.
    for (const type of ['online', 'offline']) addEventListener(type, () => this.requestUpdate())
  }

  protected override render(): TemplateResult {
    const { phase } = this.#bench
    return html`<header>
        <h1><svg viewBox="0 0 24 24" aria-hidden="true">${anchor}</svg>Anchorage</h1>
        <p class="tagline">Tools for an AI agent in a web page</p>
        <p class="facts ${phase.kind}" role="status" data-testid="facts">${factsOf(phase)}</p>
        <label
          class="keep"
          title="Store the files in this browser: they are there after a reload, and every tab that keeps files works on the same ones"
        >
          <input
            type="checkbox"
            role="switch"
            data-testid="keep"
            .checked=${live(this.#bench.isKept)}
            aria-disabled=${phase.kind !== 'open'}
            @change=${this.#onKeep}
          />
          Keep files
        </label>
        <a class="reference" href="./reference.html">All tools</a>
        <theme-switch></theme-switch>
      </header>
      <nav aria-label="Panels">
        ${panes.map(
          pane =>
            html`<button
              class="to-${pane}"
              aria-pressed=${pane === this.pane}
              data-testid="pane-${pane}"
              @click=${() => (this.pane = pane)}
            >
              ${pane}
            </button>`,
        )}
      </nav>
      ${phase.kind === 'failed' ? this.#failed(phase.what, phase.advice) : this.#panels(phase)}`
  }

  #panels(phase: Exclude<Phase, { kind: 'failed' }>): TemplateResult {
    const open = phase.kind === 'open' ? phase.open : undefined
    const bench = this.#bench
    const player = bench.session?.player
    return html`<main
      data-pane=${this.pane}
      aria-busy=${open === undefined}
      @file-chosen=${this.#onFileChosen}
      @tab-chosen=${this.#onTabChosen}
      @session-play=${() => void player?.play()}
      @session-pause=${() => player?.pause()}
      @session-step=${() => void player?.step()}
      @session-reset=${() => void bench.open()}
      @session-again=${() => void bench.playAgain()}
      @toolset-chosen=${this.#onToolsetChosen}
      @shell-chosen=${this.#onShellChosen}
      @hand-call=${this.#onHandCall}
      @hand-abort=${() => bench.abortHandCall()}
    >
      <div class="files">
        <h2>Files in ${bench.root}</h2>
        <file-tree
          .paths=${open?.files.paths ?? noPaths}
          .changes=${open?.files.changes ?? noChanges}
          .selected=${this.selected}
          .isLoading=${open === undefined}
        ></file-tree>
      </div>
      <session-panel
        .entries=${bench.transcript.entries}
        .state=${player?.state}
        .playedCount=${player?.playedCount ?? 0}
        .steps=${scripts[bench.toolset]}
        .isOpen=${open !== undefined}
        .needsReset=${bench.needsReset}
        .toolset=${bench.toolset}
      >
        <hand-form
          .tools=${bench.definitions}
          .toolset=${bench.toolset}
          .path=${this.selected}
          .isRunning=${bench.isHandCallRunning}
        ></hand-form>
      </session-panel>
      <code-panel
        .tab=${this.tab}
        .fs=${bench.fs}
        .root=${bench.root}
        .path=${this.selected}
        .version=${bench.filesVersion}
        .changes=${open?.files.changes ?? noChanges}
        .source=${open?.source}
        .terminal=${open?.terminal}
        .shell=${bench.shell}
        .isShellOpening=${bench.isShellOpening}
        .containerProblem=${bench.containerProblem}
      ></code-panel>
    </main>`
  }

  #failed(what: string, advice: string): TemplateResult {
    return html`<main>
      <div class="failed" role="alert" data-testid="failed">
        <h2>The workspace could not be opened</h2>
        <p>${what}</p>
        <p>${advice}</p>
        <button @click=${() => void this.#bench.open('stored')}>Try again</button>
        ${
          this.#bench.isKept
            ? html`<button @click=${() => void this.#bench.openWithoutStored()}>Go on without the stored files</button>`
            : nothing
        }
      </div>
    </main>`
  }

  #onFileChosen(event: CustomEvent<string>): void {
    this.selected = event.detail
    this.tab = 'file'
    this.pane = 'code'
    void this.#followFocus()
  }

  /** On a narrow screen the tree is hidden now, so the focus moves to the file. */
  async #followFocus(): Promise<void> {
    await this.updateComplete
    const isTreeShown = this.renderRoot.querySelector('file-tree')?.checkVisibility() ?? false
    if (!isTreeShown) await this.renderRoot.querySelector<CodePanel>('code-panel')?.focusTab()
  }

  #onTabChosen(event: CustomEvent<CodeTab>): void {
    this.tab = event.detail
  }

  #onToolsetChosen(event: CustomEvent<ToolsetName>): void {
    void this.#bench.chooseToolset(event.detail)
  }

  #onShellChosen(event: CustomEvent<ShellName>): void {
    void this.#bench.chooseShell(event.detail)
  }

  #onKeep(event: Event): void {
    if (event.currentTarget instanceof HTMLInputElement) void this.#bench.keep(event.currentTarget.checked)
    // The box is checked when files are kept, even when turning that on has failed.
    this.requestUpdate()
  }

  #onHandCall(event: CustomEvent<HandCall>): void {
    void this.#bench.callByHand(event.detail.tool, event.detail.args)
  }
}

const noPaths: ReadonlySet<string> = new Set()
const noChanges: ReadonlyMap<string, FileChange> = new Map()

function factsOf(phase: Phase): string {
  switch (phase.kind) {
    case 'loading':
      return `${phase.doing} …`
    case 'failed':
      return 'Not running'
    case 'open': {
      const { size, elapsedMs } = phase.open
      return `${formatCount(size.fileCount, 'file', 'files')}, ${formatBytes(size.sizeBytes)} in ${formatDuration(elapsedMs)}`
    }
  }
}

const anchor = svg`<circle cx="12" cy="4.6" r="2.6" /><path d="M12 7.200V21M8 11h8M3.5 13.500C4 18 7.5 21 12 21s8-3 8.5-7.5" /><path d="M3.5 13.500l-1.5 2M3.5 13.500l2.3 1.300M20.5 13.500l1.5 2M20.5 13.500l-2.3 1.3" />`
