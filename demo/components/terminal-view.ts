// The terminal's tab: a choice of shells, and the terminal, which loads when the tab is first opened.

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
import { live } from 'lit/directives/live.js'
import { messageOf } from '../format.ts'
import type { ShellName } from '../shells.ts'
import type { Screen, TerminalPlace } from '../terminal/screen.ts'
import { given, own, tell } from './element.ts'
import { column, shared } from './styles.ts'

const shellNames: Readonly<Record<ShellName, string>> = { 'just-bash': 'just-bash', webcontainer: 'WebContainer' }

/** Fires `shell-chosen` with a {@link ShellName}, and `file-chosen` with a path, as `detail`. */
export class TerminalView extends LitElement {
  static override properties: PropertyDeclarations = {
    ...given('place', 'shell', 'isShellOpening', 'containerProblem', 'isShown'),
    ...own('problem'),
  }
  static override styles: CSSResultGroup = [
    shared,
    column,
    css`
      fieldset {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.2rem 0.9rem;
        margin: 0;
        padding: 0.45rem 0.9rem;
        border: 0;
        border-bottom: 1px solid var(--line);
        font-size: 13px;
      }
      legend {
        float: inline-start;
        padding: 0;
        color: var(--muted);
      }
      label {
        display: flex;
        align-items: center;
        gap: 0.35rem;
      }
      label.off {
        color: var(--muted);
      }
      input {
        margin: 0;
        accent-color: var(--accent);
      }
      input[aria-disabled='true'] {
        opacity: 0.45;
      }
      .why {
        flex: 1 1 14rem;
        color: var(--muted);
      }
      .screen {
        flex: 1;
        min-height: 0;
        min-width: 0;
        margin: 0.5rem 0 0.5rem 0.9rem;
        overflow: hidden;
        background-color: var(--panel);
        color: var(--text);
        outline-color: var(--accent);
        font-family: var(--mono);
      }
      .screen:focus-within {
        box-shadow:
          -4px 0 var(--panel),
          -6px 0 var(--accent);
      }
      /* The terminal's style sheet makes it black, which shows at the edges where a pixel is divided. */
      .screen .xterm .xterm-viewport {
        background-color: transparent;
      }
      .note.failed {
        color: var(--removed);
      }
    `,
  ]

  declare place: TerminalPlace | undefined
  declare shell: ShellName
  declare isShellOpening: boolean
  declare containerProblem: string | undefined
  declare isShown: boolean
  declare problem: string | undefined
  #screen: Screen | undefined
  #isLoading = false

  constructor() {
    super()
    this.place = undefined
    this.shell = 'just-bash'
    this.isShellOpening = false
    this.containerProblem = undefined
    this.isShown = false
    this.problem = undefined
  }

  protected override render(): TemplateResult {
    return html`<fieldset>
        <legend>Commands run in</legend>
        ${this.#choice('just-bash', undefined)} ${this.#choice('webcontainer', this.containerProblem)}
        <span class="why" id="why" role="status" data-testid="shell-status">${this.#status()}</span>
      </fieldset>
      ${this.problem === undefined ? nothing : html`<p class="note failed" role="alert">${this.problem}</p>`}
      <div class="screen" data-testid="terminal"></div>`
  }

  protected override updated(changed: PropertyValues): void {
    if (this.place === undefined) return
    if (this.#screen !== undefined && changed.has('place')) void this.#enter(this.#screen, this.place)
    // Not after each update: showing a failure is an update, which would try again without end.
    if (this.#screen === undefined && this.isShown && (changed.has('isShown') || changed.has('place'))) void this.#open()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#screen?.dispose()
    this.#screen = undefined
  }

  async #open(): Promise<void> {
    if (this.#isLoading) return
    this.#isLoading = true
    try {
      const { openScreen } = await import('../terminal/screen.ts')
      const host = this.renderRoot.querySelector<HTMLElement>('.screen')
      if (host === null || this.place === undefined || !(this.renderRoot instanceof ShadowRoot)) return
      const { place } = this
      this.#screen = await openScreen(this.renderRoot, host, place, ({ path }) => {
        if (path.startsWith(`${place.root}/`)) tell(this, 'file-chosen', path.slice(place.root.length + 1))
      })
      this.problem = undefined
      await this.#screen.enter(this.place)
    } catch (error) {
      this.problem = `The terminal could not be loaded: ${messageOf(error)}. Leave this tab and come back to try again.`
    } finally {
      this.#isLoading = false
    }
  }

  async #enter(screen: Screen, place: TerminalPlace): Promise<void> {
    try {
      await screen.enter(place)
      this.problem = undefined
    } catch (error) {
      this.problem = `The shell could not be started: ${messageOf(error)}`
    }
  }

  #choice(name: ShellName, whyNot: string | undefined): TemplateResult {
    const isOff = whyNot !== undefined || this.isShellOpening || this.place === undefined
    return html`<label class=${whyNot === undefined ? '' : 'off'}>
      <input
        type="radio"
        name="shell"
        data-testid="shell-${name}"
        .checked=${live(this.shell === name)}
        aria-disabled=${isOff}
        aria-describedby="why"
        @change=${() => this.#choose(name, isOff)}
      />
      ${shellNames[name]}
    </label>`
  }

  #status(): string {
    if (this.isShellOpening) return 'Starting …'
    if (this.containerProblem !== undefined) return `WebContainer: ${this.containerProblem}`
    return this.shell === 'webcontainer'
      ? 'Node.js in the browser; files are copied in and out.'
      : 'A bash in the page. A WebContainer is loaded from stackblitz.com.'
  }

  #choose(name: ShellName, isOff: boolean): void {
    if (!isOff) tell(this, 'shell-chosen', name)
    // The checked shell is the one that runs, even when the choice of another one has failed.
    this.requestUpdate()
  }
}
