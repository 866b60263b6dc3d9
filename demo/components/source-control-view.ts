// The panel for source control: what is staged, what is changed, the difference of one file, a commit, and the history.

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
import type { GitChange, GitCommitRow, GitDiffFile } from 'anchorage/git'
import type { DiffRow } from '../line-diff.ts'
import type { SourceControl } from '../source-control.ts'
import { diffRow, diffStyles } from './diff-rows.ts'
import { given, own } from './element.ts'
import { shared } from './styles.ts'

/** The most lines that are drawn of one difference. */
const maxRows = 2_000

export class SourceControlView extends LitElement {
  static override properties: PropertyDeclarations = { ...given('control', 'version', 'isShown'), ...own('message') }
  static override styles: CSSResultGroup = [
    shared,
    diffStyles,
    css`
      :host {
        display: block;
        overflow: auto;
        min-height: 0;
      }
      form {
        display: flex;
        gap: 0.5rem;
        padding: 0.7rem 0.9rem;
      }
      textarea {
        flex: 1;
        min-height: 2rem;
        padding: 0.35rem 0.5rem;
        border: 1px solid var(--line-strong);
        border-radius: 6px;
        background: var(--panel);
        resize: vertical;
      }
      h3 {
        display: flex;
        align-items: center;
        gap: 0.6rem;
        min-height: 2.2rem;
        padding: 0.2rem 0.9rem;
        border-block: 1px solid var(--line);
        background: var(--raised);
        font-size: 13px;
      }
      h3 button {
        margin-inline-start: auto;
      }
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: flex;
        align-items: center;
        gap: 0.5rem;
        padding: 0.1rem 0.9rem;
      }
      li .path {
        flex: 1;
        overflow: hidden;
        text-align: start;
        text-overflow: ellipsis;
        white-space: nowrap;
        font: 12.5px var(--mono);
        color: var(--text);
      }
      li .path[aria-pressed='true'] {
        background: var(--accent-ground);
      }
      .kind,
      .when {
        color: var(--muted);
        font-size: 12px;
      }
      .scroll {
        overflow-x: auto;
        padding-block: 0.4rem;
      }
      .commit {
        padding-block: 0.3rem;
      }
      .subject {
        flex: 1;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
    `,
  ]

  declare control: SourceControl | undefined
  /** Grows with each change of files. */
  declare version: number
  declare isShown: boolean
  declare message: string
  #seenVersion: number | undefined

  constructor() {
    super()
    this.control = undefined
    this.version = 0
    this.isShown = false
    this.message = ''
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('control')) return
    changed.get('control')?.removeEventListener('change', this.#onChange)
    this.control?.addEventListener('change', this.#onChange)
    this.#seenVersion = undefined
  }

  protected override updated(): void {
    if (!this.isShown || this.control === undefined || this.#seenVersion === this.version) return
    this.#seenVersion = this.version
    this.control.refresh()
  }

  readonly #onChange = (): void => this.requestUpdate()

  protected override render(): TemplateResult {
    const { control } = this
    if (control === undefined || !control.isOpen) {
      return html`<p class="note" role="status">${control?.problem ?? 'Making the repository …'}</p>`
    }
    const staged = control.changes.filter(({ index }) => index !== 'none')
    const changed = control.changes.filter(({ work }) => work !== 'none')
    const canCommit = staged.length > 0 && this.message.trim() !== ''
    return html`<form @submit=${(event: Event) => this.#commit(event, canCommit)}>
        <textarea
          rows="1"
          aria-label="Message of the commit"
          placeholder="Message (commits to ${control.branch ?? 'no branch'})"
          data-testid="commit-message"
          .value=${this.message}
          @input=${this.#onMessage}
        ></textarea>
        <button class="primary" aria-disabled=${!canCommit} data-testid="commit">Commit</button>
      </form>
      ${control.problem === undefined ? nothing : html`<p class="note" role="alert">${control.problem}</p>`}
      ${this.#list('Staged', staged, true)} ${this.#list('Changed', changed, false)}
      ${control.diff === undefined ? nothing : this.#diff(control.diff)}
      <h3>History of ${control.branch ?? 'HEAD'}</h3>
      <ul data-testid="history">
        ${control.commits.map(commitRow)}
      </ul>`
  }

  #list(title: string, changes: readonly GitChange[], isStaged: boolean): TemplateResult {
    const act = (paths: readonly string[]): void => (isStaged ? this.control?.unstage(paths) : this.control?.stage(paths))
    const verb = isStaged ? 'Unstage' : 'Stage'
    const all = changes.map(({ path }) => path)
    return html`<h3>
        ${title} (${changes.length})
        ${changes.length === 0 ? nothing : html`<button class="quiet" @click=${() => act(all)}>${verb} all</button>`}
      </h3>
      <ul data-testid=${isStaged ? 'staged' : 'unstaged'}>
        ${changes.map(change => {
          const { path } = change
          const { chosen } = this.control ?? {}
          return html`<li>
            <button
              class="quiet path"
              aria-pressed=${chosen?.path === path && chosen.isStaged === isStaged}
              @click=${() => this.control?.choose({ path, isStaged })}
            >
              ${path}
            </button>
            <span class="kind">${isStaged ? change.index : change.work}</span>
            <button class="quiet" aria-label="${verb} ${path}" @click=${() => act([path])}>${verb}</button>
          </li>`
        })}
      </ul>`
  }

  #diff(file: GitDiffFile): TemplateResult {
    const rows = rowsOf(file)
    return html`<section data-testid="git-diff">
      <h3>${file.path} <span class="kind">+${file.addedCount} −${file.removedCount}</span></h3>
      <div class="scroll" tabindex="0" role="region" aria-label="Difference of ${file.path}">
        <div class="diff">${rows.slice(0, maxRows).map(diffRow)}</div>
        ${rows.length > maxRows ? html`<p class="note">${rows.length - maxRows} more rows are not shown.</p>` : nothing}
      </div>
    </section>`
  }

  #onMessage(event: Event): void {
    if (event.currentTarget instanceof HTMLTextAreaElement) this.message = event.currentTarget.value
  }

  #commit(event: Event, canCommit: boolean): void {
    event.preventDefault()
    if (!canCommit) return
    this.control?.commit(this.message)
    this.message = ''
  }
}

function commitRow({ id, message, authorTimeMs, references }: GitCommitRow): TemplateResult {
  const [subject = ''] = message.split('\n')
  return html`<li class="commit">
    <code>${id.slice(0, 7)}</code>
    <span class="subject" title=${message}>${subject}</span>
    <span class="when">${[...references, new Date(authorTimeMs).toISOString().slice(0, 10)].join(', ')}</span>
  </li>`
}

/** Rows with the unchanged lines between two hunks counted. */
function rowsOf({ hunks }: GitDiffFile): readonly DiffRow[] {
  const rows: DiffRow[] = []
  let nextLine = 1
  for (const { newStart, newCount, lines } of hunks) {
    if (newStart > nextLine) rows.push({ kind: 'gap', lineCount: newStart - nextLine })
    nextLine = newStart + newCount
    for (const { kind, text, oldLine = 0, newLine = 0 } of lines) {
      if (kind === 'added') rows.push({ kind, newNumber: newLine, text })
      else if (kind === 'removed') rows.push({ kind, oldNumber: oldLine, text })
      else rows.push({ kind: 'same', oldNumber: oldLine, newNumber: newLine, text })
    }
  }
  return rows
}
