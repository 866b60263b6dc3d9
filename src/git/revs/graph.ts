// The columns that `log --graph` draws to the left of commits. Each column follows one commit that is expected; a row of the graph is
// drawn for the commit, for the lines of a merge, and until every column has moved to its place.

import type { ObjectId } from '../store/object-format.ts'
import { withoutColors } from '../text-columns.ts'

type State = 'padding' | 'skip' | 'pre-commit' | 'commit' | 'post-merge' | 'collapsing'

export interface GraphCommit {
  readonly oid: ObjectId
  /** Those that are shown in this walk. */
  readonly parents: readonly ObjectId[]
  readonly mark: string
}

const mergeCharacters = ['/', '|', '\\'] as const

export class Graph {
  #commit: GraphCommit | undefined
  #width = 0
  #expansionRow = 0
  #state: State = 'padding'
  #previousState: State = 'padding'
  #commitIndex = 0
  #previousCommitIndex = 0
  #mergeLayout = 0
  #edgesAdded = 0
  #previousEdgesAdded = 0
  #columns: ObjectId[] = []
  #newColumns: ObjectId[] = []
  #mapping: number[] = []
  #oldMapping: number[] = []
  #mappingSize = 0
  /** The colors of columns, in turn; empty for none. */
  readonly #colors: readonly string[]
  /** The number of the color of each commit that a column waits for. */
  #colorOf: ReadonlyMap<ObjectId, number> = new Map()
  #newColorOf = new Map<ObjectId, number>()
  #color: number

  constructor(colors: readonly string[] = []) {
    this.#colors = colors
    this.#color = colors.length - 1
  }

  /** A part of the column that waits for the commit, in the column's color. */
  #drawn(text: string, oid: ObjectId | undefined, colors: ReadonlyMap<ObjectId, number> = this.#colorOf): string {
    const color = oid === undefined ? undefined : this.#colors[colors.get(oid) ?? -1]
    return color === undefined ? text : `${color}${text}\u001B[m`
  }

  get #parentCount(): number {
    return this.#commit?.parents.length ?? 0
  }

  /** Adds the next commit. `next` first draws the rest of the previous one. */
  update(commit: GraphCommit): void {
    this.#commit = commit
    this.#previousCommitIndex = this.#commitIndex
    this.#updateColumns()
    this.#expansionRow = 0
    // The state before stays known: it bends the lines of the next commit, and no line of the new state is drawn yet.
    this.#state = this.#state !== 'padding' ? 'skip' : this.#needsPreCommit ? 'pre-commit' : 'commit'
  }

  #set(state: State): void {
    this.#previousState = this.#state
    this.#state = state
  }

  get #needsPreCommit(): boolean {
    return this.#parentCount >= 3 && this.#commitIndex < this.#columns.length - 1 && this.#expansionRow < this.#expansionRows
  }

  get #dashedParents(): number {
    return this.#parentCount + this.#mergeLayout - 3
  }

  get #expansionRows(): number {
    return this.#dashedParents * 2
  }

  #findNewColumn(oid: ObjectId): number {
    return this.#newColumns.indexOf(oid)
  }

  #insert(oid: ObjectId, index: number): void {
    let at = this.#findNewColumn(oid)
    if (at < 0) {
      at = this.#newColumns.length
      this.#newColumns.push(oid)
      this.#newColorOf.set(oid, this.#colorOf.get(oid) ?? this.#color)
    }
    let mappingIndex: number
    if (this.#parentCount > 1 && index > -1 && this.#mergeLayout === -1) {
      const distance = index - at
      // The line under the merge already leads as far as one column beside the parent's.
      const shift = distance > 1 ? 2 * distance - 3 : 1
      this.#mergeLayout = distance > 0 ? 0 : 1
      this.#edgesAdded = this.#parentCount + this.#mergeLayout - 2
      mappingIndex = this.#width + (this.#mergeLayout - 1) * shift
      this.#width += 2 * this.#mergeLayout
    } else if (this.#edgesAdded > 0 && at === this.#mapping[this.#width - 2]) {
      mappingIndex = this.#width - 2
      this.#edgesAdded = -1
    } else {
      mappingIndex = this.#width
      this.#width += 2
    }
    this.#mapping[mappingIndex] = at
  }

  #updateColumns(): void {
    const commit = this.#commit
    if (commit === undefined) return
    this.#columns = this.#newColumns
    this.#newColumns = []
    this.#colorOf = this.#newColorOf
    this.#newColorOf = new Map()
    const isInColumns = this.#columns.includes(commit.oid)
    const maxColumns = this.#columns.length + this.#parentCount
    this.#mappingSize = 2 * maxColumns
    this.#mapping = Array.from({ length: this.#mappingSize }, () => -1)
    this.#width = 0
    this.#previousEdgesAdded = this.#edgesAdded
    this.#edgesAdded = 0
    for (const [index, columnCommit] of this.#columnsWithCommit().entries()) {
      if (columnCommit === commit.oid) {
        this.#commitIndex = index
        this.#mergeLayout = -1
        for (const parent of commit.parents) {
          if ((this.#parentCount > 1 || !isInColumns) && this.#colors.length > 0)
            this.#color = (this.#color + 1) % this.#colors.length
          this.#insert(parent, index)
        }
        // A commit without parents ends its column.
        if (this.#parentCount === 0) this.#width += 2
      } else this.#insert(columnCommit, -1)
    }
    while (this.#mappingSize > 1 && (this.#mapping[this.#mappingSize - 1] ?? -1) < 0) this.#mappingSize--
  }

  /** The next line, and whether it is the commit's line. */
  next(): { readonly line: string; readonly isCommit: boolean } {
    switch (this.#state) {
      case 'padding':
        return { line: this.#padding(), isCommit: false }
      case 'skip':
        this.#set(this.#needsPreCommit ? 'pre-commit' : 'commit')
        return { line: this.#fit('...'), isCommit: false }
      case 'pre-commit':
        return { line: this.#preCommit(), isCommit: false }
      case 'commit':
        return { line: this.#commitLine(), isCommit: true }
      case 'post-merge':
        return { line: this.#postMerge(), isCommit: false }
      case 'collapsing':
        return { line: this.#collapsing(), isCommit: false }
    }
  }

  get isFinished(): boolean {
    return this.#state === 'padding'
  }

  /** The columns of the commit's lines. */
  get width(): number {
    return this.#width
  }

  /** The prefix of a line of the commit's text after the first one. */
  padding(): string {
    if (this.#state !== 'commit') return this.next().line
    let line = ''
    for (const oid of this.#columns) {
      line += this.#drawn('|', oid)
      if (oid === this.#commit?.oid && this.#parentCount > 2) line += ' '.repeat((this.#parentCount - 2) * 2)
      else line += ' '
    }
    this.#previousState = 'padding'
    return this.#fit(line)
  }

  #fit(line: string): string {
    const missing = this.#width - (this.#colors.length === 0 ? line : withoutColors(line)).length
    return missing > 0 ? line + ' '.repeat(missing) : line
  }

  #padding(): string {
    return this.#fit(this.#newColumns.map(oid => `${this.#drawn('|', oid, this.#newColorOf)} `).join(''))
  }

  #preCommit(): string {
    let line = ''
    let seenThis = false
    for (const [index, oid] of this.#columns.entries()) {
      if (oid === this.#commit?.oid) {
        seenThis = true
        line += `${this.#drawn('|', oid)}${' '.repeat(this.#expansionRow)}`
      } else if (seenThis && this.#expansionRow === 0) {
        line += this.#drawn(this.#previousState === 'post-merge' && this.#previousCommitIndex < index ? '\\' : '|', oid)
      } else line += this.#drawn(seenThis && this.#expansionRow > 0 ? '\\' : '|', oid)
      line += ' '
    }
    this.#expansionRow++
    if (!this.#needsPreCommit) this.#set('commit')
    return this.#fit(line)
  }

  #commitLine(): string {
    const commit = this.#commit
    let line = ''
    let seenThis = false
    for (const [index, oid] of this.#columnsWithCommit().entries()) {
      if (oid === commit?.oid) {
        seenThis = true
        line += commit?.mark ?? '*'
        if (this.#parentCount > 2) line += this.#dashes()
      } else if (seenThis && this.#edgesAdded > 1) line += this.#drawn('\\', oid)
      else if (seenThis && this.#edgesAdded === 1) {
        const isMoving = this.#previousState === 'post-merge' && this.#previousEdgesAdded > 0 && this.#previousCommitIndex < index
        line += this.#drawn(isMoving ? '\\' : '|', oid)
      } else if (
        this.#previousState === 'collapsing' &&
        this.#oldMapping[2 * index + 1] === index &&
        (this.#mapping[2 * index] ?? -1) < index
      )
        line += this.#drawn('/', oid)
      else line += this.#drawn('|', oid)
      line += ' '
    }
    if (this.#parentCount > 1) this.#set('post-merge')
    else if (this.#isMappingCorrect()) this.#set('padding')
    else this.#set('collapsing')
    return this.#fit(line)
  }

  /** The columns; a commit that is in none of them comes last. */
  #columnsWithCommit(): readonly ObjectId[] {
    const oid = this.#commit?.oid
    return oid === undefined || this.#columns.includes(oid) ? this.#columns : [...this.#columns, oid]
  }

  #dashes(): string {
    const count = this.#dashedParents
    let text = ''
    for (let index = 0; index < count; index++) {
      const oid = this.#newColumns[this.#mapping[(this.#commitIndex + index + 2) * 2] ?? -1]
      text += this.#drawn('-', oid, this.#newColorOf) + this.#drawn(index === count - 1 ? '.' : '-', oid, this.#newColorOf)
    }
    return text
  }

  #isMappingCorrect(): boolean {
    for (let index = 0; index < this.#mappingSize; index++) {
      const target = this.#mapping[index] ?? -1
      if (target < 0) continue
      if (target === index >> 1) continue
      return false
    }
    return true
  }

  #postMerge(): string {
    const commit = this.#commit
    let line = ''
    let seenThis = false
    let parentColumn: ObjectId | undefined
    for (const [index, oid] of this.#columnsWithCommit().entries()) {
      if (oid === commit?.oid) {
        seenThis = true
        let at = this.#mergeLayout
        for (let number = 0; number < this.#parentCount; number++) {
          line += this.#drawn(mergeCharacters[at] ?? '\\', commit?.parents[number], this.#newColorOf)
          if (at === 2) {
            if (this.#edgesAdded > 0 || number < this.#parentCount - 1) line += ' '
          } else at++
        }
        if (this.#edgesAdded === 0) line += ' '
      } else if (seenThis) {
        line += `${this.#drawn(this.#edgesAdded > 0 ? '\\' : '|', oid)} `
      } else {
        line += this.#drawn('|', oid)
        if (this.#mergeLayout !== 0 || index !== this.#commitIndex - 1)
          line += parentColumn === undefined ? ' ' : this.#drawn('_', parentColumn)
      }
      if (oid === commit?.parents[0]) parentColumn = oid
    }
    this.#set(this.#isMappingCorrect() ? 'padding' : 'collapsing')
    return this.#fit(line)
  }

  #collapsing(): string {
    let usedHorizontal = false
    let horizontalEdge = -1
    let horizontalTarget = -1
    const old = this.#mapping
    this.#oldMapping = old
    this.#mapping = Array.from({ length: old.length }, () => -1)
    const mapping = this.#mapping
    for (let index = 0; index < this.#mappingSize; index++) {
      const target = old[index] ?? -1
      if (target < 0) continue
      if (target * 2 === index) mapping[index] = target
      else if ((mapping[index - 1] ?? -1) < 0) {
        mapping[index - 1] = target
        if (horizontalEdge === -1) {
          horizontalEdge = index
          horizontalTarget = target
          for (let at = target * 2 + 3; at < index - 2; at += 2) mapping[at] = target
        }
      } else if (mapping[index - 1] !== target) {
        mapping[index - 2] = target
        if (horizontalEdge === -1) {
          horizontalTarget = target
          horizontalEdge = index - 1
          for (let at = target * 2 + 3; at < index - 2; at += 2) mapping[at] = target
        }
      }
    }
    this.#oldMapping = [...mapping]
    if ((mapping[this.#mappingSize - 1] ?? -1) < 0) this.#mappingSize--
    let line = ''
    for (let index = 0; index < this.#mappingSize; index++) {
      const target = mapping[index] ?? -1
      if (target < 0) line += ' '
      else if (target * 2 === index) line += this.#drawn('|', this.#newColumns[target], this.#newColorOf)
      else if (target === horizontalTarget && index !== horizontalEdge - 1) {
        if (index !== target * 2 + 3) mapping[index] = -1
        usedHorizontal = true
        line += this.#drawn('_', this.#newColumns[target], this.#newColorOf)
      } else {
        if (usedHorizontal && index < horizontalEdge) mapping[index] = -1
        line += this.#drawn('/', this.#newColumns[target], this.#newColorOf)
      }
    }
    if (this.#isMappingCorrect()) this.#set('padding')
    return this.#fit(line)
  }
}

export { refuseBesideGraph } from './beside-graph.ts'
