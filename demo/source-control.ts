// The model of the panel for source control. It reads the repository in the workspace after each change by any author.

import type { Vfs } from 'anchorage'
import type { Git, GitChange, GitCommitRow, GitDiffFile } from 'anchorage/git'
import { messageOf } from './format.ts'
import type { Project } from './project.ts'
import { makeRepository } from './repository.ts'

const shownCommits = 20

/** A file in one of the two lists. */
export interface ChosenChange {
  readonly path: string
  readonly isStaged: boolean
}

/** Fires `change`. */
export class SourceControl extends EventTarget {
  branch: string | undefined
  changes: readonly GitChange[] = []
  commits: readonly GitCommitRow[] = []
  chosen: ChosenChange | undefined
  diff: GitDiffFile | undefined
  /** What went wrong last, in words. */
  problem: string | undefined
  isOpen = false
  readonly #fs: Vfs
  readonly #root: string
  readonly #project: Project
  #git: Promise<Git> | undefined
  #queue: Promise<unknown> = Promise.resolve()
  #isWaiting = false

  constructor(fs: Vfs, root: string, project: Project) {
    super()
    this.#fs = fs
    this.#root = root
    this.#project = project
  }

  /** Reads everything again, after the operations that are already running. */
  refresh(): void {
    if (this.#isWaiting) return
    this.#isWaiting = true
    this.#do(() => Promise.resolve())
  }

  choose(chosen: ChosenChange): void {
    this.chosen = chosen
    this.refresh()
  }

  stage(paths: readonly string[]): void {
    this.#do(git => git.stage(paths))
  }

  unstage(paths: readonly string[]): void {
    this.#do(git => git.unstage(paths))
  }

  commit(message: string): void {
    this.#do(async git => {
      await git.commit(message)
    })
  }

  #do(work: (git: Git) => Promise<void>): void {
    this.#queue = this.#queue
      .then(async () => {
        const git = await (this.#git ??= this.#open())
        this.problem = undefined
        await work(git).catch((error: unknown) => (this.problem = messageOf(error)))
        this.#isWaiting = false
        await this.#read(git)
      })
      .catch((error: unknown) => {
        this.problem = messageOf(error)
      })
      .then(() => this.dispatchEvent(new Event('change')))
  }

  async #open(): Promise<Git> {
    await makeRepository(this.#fs, this.#root, this.#project)
    const { openGit } = await import('anchorage/git')
    return openGit(this.#fs, { dir: this.#root })
  }

  async #read(git: Git): Promise<void> {
    const { branch, changes } = await git.status()
    this.branch = branch
    this.changes = changes
    this.commits = await git.log({ count: shownCommits })
    this.diff = await this.#readDiff(git)
    this.isOpen = true
  }

  async #readDiff(git: Git): Promise<GitDiffFile | undefined> {
    const { chosen } = this
    const change = this.changes.find(({ path }) => path === chosen?.path)
    if (chosen === undefined || change === undefined) return undefined
    const [file] = await git.diffFiles({ paths: [chosen.path], staged: chosen.isStaged })
    return file
  }
}
