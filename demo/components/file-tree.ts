// The project's files as a tree that the keyboard can walk. Follows the tree-view pattern of the ARIA authoring guide: one
// row is in the tab order, arrows move, the row says its level and place.

import {
  css,
  html,
  LitElement,
  nothing,
  svg,
  unsafeCSS,
  type CSSResult,
  type CSSResultGroup,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { FileChange } from '../changed-files.ts'
import { parentsOf, treeRows, type TreeRow } from '../file-tree.ts'
import { given, own, tell } from './element.ts'
import { shared } from './styles.ts'

/** Levels that are indented; deeper ones stay below the last. As rules, because a strict page forbids style attributes. */
const indents: CSSResult = unsafeCSS(
  Array.from(
    { length: 12 },
    (_, index) => `[aria-level='${index + 2}'] { padding-inline-start: ${0.3 + (index + 1) * 0.85}rem }`,
  ).join('\n'),
)

const marks = { added: 'A', modified: 'M', deleted: 'D' } as const

/** Fires `file-chosen` with the path as `detail`. */
export class FileTree extends LitElement {
  static override properties: PropertyDeclarations = {
    ...given('paths', 'changes', 'selected', 'isLoading'),
    ...own('open', 'focused'),
  }
  static override styles: CSSResultGroup = [
    shared,
    css`
      :host {
        display: block;
        overflow: auto;
        padding: 0.25rem 0.25rem 1rem;
      }
      .row {
        display: flex;
        align-items: center;
        gap: 0.35rem;
        min-height: 1.65rem;
        padding-inline: 0.3rem 0.5rem;
        border-radius: 5px;
        cursor: pointer;
        white-space: nowrap;
      }
      .row:hover {
        background: var(--raised);
      }
      .row[aria-selected='true'] {
        background: var(--selected);
      }
      .twist {
        flex: none;
        width: 0.9rem;
        height: 0.9rem;
        fill: none;
        stroke: var(--muted);
        stroke-width: 1.6;
        stroke-linecap: round;
        stroke-linejoin: round;
      }
      [aria-expanded='true'] > .twist {
        rotate: 90deg;
      }
      .name {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .directory {
        color: var(--muted);
      }
      .mark {
        margin-inline-start: auto;
        font: 600 11px var(--mono);
      }
      .added .name,
      .added .mark {
        color: var(--added);
      }
      .modified .name,
      .modified .mark {
        color: var(--person);
      }
      .deleted .name,
      .deleted .mark {
        color: var(--removed);
      }
      .deleted .name {
        text-decoration: line-through;
      }
      .dot {
        margin-inline-start: auto;
        width: 6px;
        height: 6px;
        border-radius: 50%;
        background: var(--person);
      }
    `,
    indents,
  ]

  declare paths: ReadonlySet<string>
  declare changes: ReadonlyMap<string, FileChange>
  declare selected: string | undefined
  declare isLoading: boolean
  declare open: ReadonlySet<string>
  declare focused: string | undefined

  constructor() {
    super()
    this.paths = new Set()
    this.changes = new Map()
    this.selected = undefined
    this.isLoading = false
    this.open = new Set(['src', 'src/core'])
    this.focused = undefined
  }

  protected override willUpdate(changed: PropertyValues): void {
    // Opens the directories above a file that has changed or was chosen elsewhere.
    const revealed = [
      ...(changed.has('selected') && this.selected !== undefined ? [this.selected] : []),
      ...(changed.has('changes') ? this.changes.keys() : []),
    ]
    const missing = revealed.flatMap(parentsOf).filter(directory => !this.open.has(directory))
    if (missing.length > 0) this.open = new Set([...this.open, ...missing])
    if (changed.has('selected')) this.focused = this.selected
  }

  protected override render(): TemplateResult {
    const rows = this.#rows()
    if (rows.length === 0) return html`<p class="note">${this.isLoading ? 'Loading …' : 'There are no files.'}</p>`
    const tabStop = rows.some(row => row.path === this.focused) ? this.focused : rows[0]?.path
    return html`<div role="tree" aria-label="Files" data-testid="tree" @keydown=${this.#onKeydown}>
      ${repeat(
        rows,
        row => row.path,
        row => this.#row(row, row.path === tabStop),
      )}
    </div>`
  }

  #row(row: TreeRow, isTabStop: boolean): TemplateResult {
    const change = this.changes.get(row.path)
    const hasChangeBelow = row.kind === 'directory' && [...this.changes.keys()].some(path => path.startsWith(`${row.path}/`))
    const label = [
      row.name,
      ...(change === undefined ? [] : [change.kind]),
      ...(hasChangeBelow ? ['contains changes'] : []),
    ].join(', ')
    return html`<div
      class="row ${row.kind} ${change?.kind ?? ''}"
      role="treeitem"
      aria-label=${label}
      aria-level=${row.depth}
      aria-posinset=${row.position}
      aria-setsize=${row.siblingCount}
      aria-selected=${row.path === this.selected}
      aria-expanded=${row.kind === 'directory' ? String(row.isOpen) : nothing}
      tabindex=${isTabStop ? 0 : -1}
      data-path=${row.path}
      title=${row.path}
      @click=${() => this.#activate(row)}
      @focus=${() => (this.focused = row.path)}
    >
      <svg class="twist" viewBox="0 0 16 16" aria-hidden="true">${row.kind === 'directory' ? chevron : nothing}</svg>
      <span class="name">${row.name}</span>
      ${change === undefined ? nothing : html`<span class="mark" aria-hidden="true">${marks[change.kind]}</span>`}
      ${hasChangeBelow ? html`<span class="dot"></span>` : nothing}
    </div>`
  }

  #rows(): TreeRow[] {
    return treeRows(this.paths, directory => this.open.has(directory))
  }

  #activate(row: TreeRow): void {
    this.focused = row.path
    if (row.kind === 'directory') this.#setOpen(row.path, !row.isOpen)
    else tell(this, 'file-chosen', row.path)
  }

  #setOpen(directory: string, isOpen: boolean): void {
    const open = new Set(this.open)
    if (isOpen) open.add(directory)
    else open.delete(directory)
    this.open = open
  }

  #onKeydown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const rows = this.#rows()
    const index = Math.max(
      0,
      rows.findIndex(row => row.path === this.focused),
    )
    const row = rows[index]
    if (row === undefined) return
    const target = this.#handle(event.key, rows, index, row)
    if (target === 'ignored') return
    event.preventDefault()
    if (target !== undefined) void this.#moveTo(target.path)
  }

  /** The row to move to, `undefined` when the key did something else, `'ignored'` when it means nothing here. */
  #handle(key: string, rows: readonly TreeRow[], index: number, row: TreeRow): TreeRow | undefined | 'ignored' {
    switch (key) {
      case 'ArrowDown':
        return rows[index + 1] ?? row
      case 'ArrowUp':
        return rows[index - 1] ?? row
      case 'Home':
        return rows[0]
      case 'End':
        return rows.at(-1)
      case 'ArrowRight':
        if (row.kind === 'file') return undefined
        if (row.isOpen) return rows[index + 1] ?? row
        return void this.#setOpen(row.path, true)
      case 'ArrowLeft':
        if (row.kind === 'directory' && row.isOpen) return void this.#setOpen(row.path, false)
        return rows.find(other => other.path === parentsOf(row.path).at(-1)) ?? row
      case 'Enter':
      case ' ':
        return void this.#activate(row)
      default: {
        if (key.length !== 1) return 'ignored'
        const rest = [...rows.slice(index + 1), ...rows.slice(0, index)]
        return rest.find(other => other.name.toLowerCase().startsWith(key.toLowerCase())) ?? row
      }
    }
  }

  async #moveTo(path: string): Promise<void> {
    this.focused = path
    await this.updateComplete
    this.renderRoot.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)?.focus()
  }
}

const chevron = svg`<path d="M6 4l4 4-4 4" />`
