// A form for calls by hand, built from the tool's description and schema.

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
import type { ToolDefinition } from 'anchorage'
import { exampleArgs } from '../example-args.ts'
import { messageOf } from '../format.ts'
import { given, own, tell } from './element.ts'
import { shared } from './styles.ts'

export interface HandCall {
  readonly tool: string
  readonly args: unknown
}

/** Fires `hand-call` with a {@link HandCall} as `detail`, and `hand-abort`. */
export class HandForm extends LitElement {
  static override properties: PropertyDeclarations = {
    ...given('tools', 'path', 'isRunning', 'toolset'),
    ...own('toolName', 'problem'),
  }
  static override styles: CSSResultGroup = [
    shared,
    css`
      :host {
        display: block;
        background: var(--panel);
        border-top: 1px solid var(--line);
      }
      summary {
        padding: 0.6rem 0.9rem;
        font-weight: 600;
        cursor: pointer;
      }
      summary small {
        color: var(--muted);
        font-weight: 400;
        margin-inline-start: 0.5rem;
      }
      form {
        display: grid;
        grid-template: minmax(0, 1fr) / minmax(0, 1fr) minmax(0, 1.1fr);
        gap: 0.6rem 0.9rem;
        padding: 0 0.9rem 0.9rem;
        max-height: min(46vh, 24rem);
      }
      .left,
      .right {
        display: flex;
        flex-direction: column;
        gap: 0.4rem;
        min-height: 0;
      }
      label {
        color: var(--muted);
        font-size: 13px;
      }
      select,
      textarea {
        width: 100%;
        border: 1px solid var(--line-strong);
        border-radius: 6px;
        background: var(--panel);
      }
      select {
        min-height: 2rem;
        padding: 0 0.4rem;
        font-family: var(--mono);
      }
      textarea {
        flex: 1;
        min-height: 7.5rem;
        padding: 0.5rem 0.6rem;
        resize: vertical;
      }
      textarea[aria-invalid='true'] {
        border-color: var(--removed);
      }
      .description {
        flex: 1;
        min-height: 0;
        overflow: auto;
        padding: 0.5rem 0.6rem;
        border-radius: 6px;
        background: var(--raised);
        color: var(--muted);
        font-size: 13px;
        white-space: pre-wrap;
      }
      .buttons {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.5rem;
      }
      .problem {
        color: var(--removed);
      }
      kbd {
        font: inherit;
        font-size: 12px;
        color: var(--muted);
      }
      @container (width < 34rem) {
        form {
          grid-template: auto / minmax(0, 1fr);
          max-height: 60vh;
          overflow: auto;
        }
        .description {
          max-height: 6rem;
        }
      }
    `,
  ]

  declare tools: readonly ToolDefinition[]
  declare path: string | undefined
  declare isRunning: boolean
  declare toolset: string
  declare toolName: string
  declare problem: string | undefined
  /** The typed text for each toolset and tool, so that switching between tools loses nothing. */
  readonly #drafts = new Map<string, string>()

  constructor() {
    super()
    this.tools = []
    this.path = undefined
    this.isRunning = false
    this.toolset = ''
    this.toolName = ''
    this.problem = undefined
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('tools') && !this.tools.some(tool => tool.name === this.toolName)) this.toolName = this.tools[0]?.name ?? ''
  }

  protected override render(): TemplateResult {
    const tool = this.#tool()
    return html`<details>
      <summary data-testid="by-hand">Call a tool by hand<small>${this.tools.map(({ name }) => name).join(' · ')}</small></summary>
      <form @submit=${this.#onSubmit} @keydown=${this.#onKeydown}>
        <div class="left">
          <label for="tool">Tool</label>
          <select id="tool" data-testid="tool" @change=${this.#onToolChange}>
            ${this.tools.map(({ name }) => html`<option value=${name} ?selected=${name === this.toolName}>${name}</option>`)}
          </select>
          <div
            class="description"
            tabindex="0"
            role="region"
            aria-label="Description of ${this.toolName}"
            .textContent=${tool?.description ?? ''}
          ></div>
        </div>
        <div class="right">
          <label for="args">Arguments as JSON</label>
          <textarea
            id="args"
            class="mono"
            data-testid="hand-args"
            spellcheck="false"
            autocapitalize="off"
            aria-invalid=${this.problem !== undefined}
            aria-describedby="problem"
            .value=${this.#draft(tool)}
            @input=${this.#onInput}
          ></textarea>
          <div class="problem" id="problem" role="alert" data-testid="problem">${this.problem ?? nothing}</div>
          <div class="buttons">
            <button type="submit" class="primary" data-testid="run" aria-disabled=${this.isRunning || tool === undefined}>
              Run
            </button>
            <button type="button" data-testid="abort" aria-disabled=${!this.isRunning} @click=${this.#abort}>Abort</button>
            <kbd>Ctrl+Enter runs</kbd>
          </div>
        </div>
      </form>
    </details>`
  }

  #tool(): ToolDefinition | undefined {
    return this.tools.find(({ name }) => name === this.toolName)
  }

  #draft(tool: ToolDefinition | undefined): string {
    if (tool === undefined) return ''
    return this.#drafts.get(`${this.toolset} ${tool.name}`) ?? JSON.stringify(exampleArgs(tool.inputSchema, this.path), null, 2)
  }

  #onToolChange(event: Event): void {
    if (event.target instanceof HTMLSelectElement) this.toolName = event.target.value
    this.problem = undefined
  }

  #onInput(event: Event): void {
    if (event.target instanceof HTMLTextAreaElement) this.#drafts.set(`${this.toolset} ${this.toolName}`, event.target.value)
    this.problem = undefined
  }

  #onKeydown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    this.#run()
  }

  #onSubmit(event: Event): void {
    event.preventDefault()
    this.#run()
  }

  #run(): void {
    const tool = this.#tool()
    if (tool === undefined || this.isRunning) return
    try {
      const detail: HandCall = { tool: tool.name, args: JSON.parse(this.#draft(tool)) }
      this.problem = undefined
      tell(this, 'hand-call', detail)
    } catch (error) {
      this.problem = `This is not JSON yet: ${messageOf(error)}`
    }
  }

  #abort(): void {
    if (this.isRunning) tell(this, 'hand-abort')
  }
}
