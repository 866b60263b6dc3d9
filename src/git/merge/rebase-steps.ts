// The steps of a rebase: commits to make again, and those that join the commit before them.

import { ownValue } from '../../core/record.ts'
import { fatal, notBuilt } from '../errors.ts'
import type { Repository } from '../repository.ts'
import { subjectOf } from '../revs/subject.ts'
import type { ObjectId } from '../store/object-format.ts'
import { commented } from './commit-text.ts'
import { readState } from './merge-state.ts'

interface CommitStep {
  readonly verb: 'pick' | 'fixup' | 'squash'
  readonly oid: ObjectId
}

/** A commit to make again, or a command to run in between. */
export type RebaseStep = CommitStep | { readonly verb: 'exec'; readonly command: string }

const verbs: Readonly<Record<string, CommitStep['verb']>> = {
  pick: 'pick',
  p: 'pick',
  fixup: 'fixup',
  f: 'fixup',
  squash: 'squash',
  s: 'squash',
}

/** The steps in a file of `rebase-merge`. */
export async function readSteps(repository: Repository, name: 'git-rebase-todo' | 'done'): Promise<readonly RebaseStep[]> {
  const found: RebaseStep[] = []
  for (const line of ((await readState(repository, `rebase-merge/${name}`)) ?? '').split('\n')) {
    if (line.trim() === '' || line.startsWith('#') || /^noop\b/.test(line)) continue
    const command = /^(?:exec|x) (.*)$/.exec(line)?.[1]
    if (command !== undefined) {
      found.push({ verb: 'exec', command })
      continue
    }
    const [, word = '', id] = /^(\w+) ([0-9a-f]{4,40})/.exec(line) ?? []
    const verb = ownValue(verbs, word)
    if (id === undefined || verb === undefined) {
      throw fatal(
        `the rebase has the step '${line}', and this git only knows 'pick', 'fixup', 'squash' and 'exec'. Go on with another git, or run "git rebase --abort".`,
      )
    }
    const [oid] = id.length === 40 ? [id] : await repository.objects.expand(id)
    if (oid !== undefined) found.push({ verb, oid })
  }
  return found
}

/** The same as text. */
export async function stepRows(repository: Repository, steps: readonly RebaseStep[]): Promise<string> {
  const lines: string[] = []
  for (const step of steps) {
    if (step.verb === 'exec') {
      lines.push(`exec ${step.command}\n`)
      continue
    }
    const { verb, oid } = step
    const { message, parents, tree } = await repository.objects.readCommit(oid)
    const [parent] = parents
    const isEmpty = parent !== undefined && (await repository.treeOf(parent)) === tree
    lines.push(`${verb} ${oid} ${subjectOf(message)}${isEmpty ? ' # empty' : ''}\n`)
  }
  return lines.join('')
}

/** `--autosquash`: puts commits named `fixup!` and `squash!` behind the ones that they name. */
export async function autosquashed(repository: Repository, commits: readonly ObjectId[]): Promise<readonly RebaseStep[]> {
  const chains: CommitStep[][] = []
  const chainOf = new Map<string, CommitStep[]>()
  const subjects: { readonly oid: ObjectId; readonly subject: string; readonly chain: CommitStep[] }[] = []
  for (const oid of commits) {
    const subject = subjectOf((await repository.objects.readCommit(oid)).message)
    const [, kind, named = ''] = /^(fixup|squash|amend)! (?:(?:fixup|squash|amend)! )*(.*)$/.exec(subject) ?? []
    const isId = !named.includes(' ') && /^[0-9a-f]{4,40}$/.test(named)
    const target =
      kind === undefined
        ? undefined
        : (chainOf.get(named) ??
          (isId ? subjects.find(row => row.oid.startsWith(named)) : undefined)?.chain ??
          subjects.find(row => row.subject.startsWith(named))?.chain)
    if (target !== undefined && kind === 'amend') throw notBuilt('a rebase with commits named "amend!"')
    const chain = target ?? []
    chain.push({ verb: target === undefined ? 'pick' : kind === 'fixup' ? 'fixup' : 'squash', oid })
    if (target === undefined) {
      chains.push(chain)
      if (!chainOf.has(subject)) chainOf.set(subject, chain)
    }
    subjects.push({ oid, subject, chain })
  }
  return chains.flat()
}

/** The commands behind each commit and those that join it. */
export function withCommands(steps: readonly RebaseStep[], commands: readonly string[]): readonly RebaseStep[] {
  const execs = commands.map(command => ({ verb: 'exec' as const, command }))
  return steps.flatMap((step, index) => {
    const next = steps[index + 1]?.verb
    return next === 'fixup' || next === 'squash' ? [step] : [step, ...execs]
  })
}

/** The message of commits that are joined, as git collects it for an editor. */
export class JoinedMessage {
  readonly #first: string
  readonly #parts: string[] = []
  readonly #mark: string
  #hasSquash = false

  constructor(first: string, mark: string) {
    this.#first = first
    this.#mark = mark
  }

  add(verb: 'fixup' | 'squash', message: string): void {
    const number = this.#parts.length + 2
    this.#hasSquash ||= verb === 'squash'
    if (verb === 'fixup') {
      this.#parts.push(`\n${this.#mark} The commit message #${number} will be skipped:\n\n${commented(message, this.#mark)}`)
      return
    }
    const end = /^(?:squash|fixup)!/.test(message) ? message.indexOf('\n') + 1 || message.length : 0
    this.#parts.push(
      `\n${this.#mark} This is the commit message #${number}:\n\n${commented(message.slice(0, end), this.#mark)}${message.slice(end)}`,
    )
  }

  /** Of a commit that others still join. */
  get text(): string {
    const count = this.#parts.length + 1
    return `${this.#mark} This is a combination of ${count} commits.\n${this.#mark} This is the 1st commit message:\n\n${this.#first}${this.#parts.join('')}`
  }

  /** The final message, if no editor has to be asked. */
  get unedited(): string | undefined {
    return this.#hasSquash ? undefined : this.#first
  }
}
