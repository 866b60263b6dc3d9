// Commands that run in the background of a session, until they end or the session does. They are found by their ID.

import { AnchorageError, ToolError } from '../core/errors.ts'

export type JobState = 'running' | 'completed' | 'failed' | 'cancelled'

/** What a job has said so far, and in the end. */
export interface JobReport {
  readonly output: string
  /** For the host: exit code, times, files. */
  readonly details: Readonly<Record<string, unknown>>
}

export interface JobEnd extends JobReport {
  readonly isError: boolean
  /** Why it failed, where its output does not say it. */
  readonly problem?: string | undefined
}

export interface JobWork {
  /** The command, or whatever else a person knows it by. */
  readonly title: string
  /** Aborting `signal` is how it is cancelled. */
  readonly run: (signal: AbortSignal, tell: (report: JobReport) => void) => Promise<JobEnd>
}

/** Jobs that ended are kept to be asked about. */
export const maxJobs: number = 100
const keptAfterEndMs = 30 * 60 * 1000

export class JobRegistry {
  readonly #jobs = new Map<string, Job>()
  readonly #clock: () => number
  #count = 0
  #isClosed = false

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /**
   * Starts `work` and gives its job at once. `kind` begins the ID. Throws `ToolError` `too-many-jobs` when as many run as are ever kept,
   * and `AnchorageError` `session-closed`.
   */
  start(kind: string, work: JobWork): Job {
    if (this.#isClosed)
      throw new AnchorageError('session-closed', 'The session was closed. Open a new one with workspace.toolset().')
    this.#forgetOld(maxJobs - 1)
    if (this.#jobs.size >= maxJobs) {
      throw new ToolError('too-many-jobs', `${maxJobs} jobs are running already. Nothing was started.`, {
        nextStep: 'Wait for one to end, or cancel one.',
      })
    }
    this.#count += 1
    const id = `${kind}-${this.#clock().toString(36)}-${this.#count.toString(36).padStart(6, '0')}`
    const job = new Job(id, work, this.#clock)
    this.#jobs.set(id, job)
    return job
  }

  /** `undefined` when it never was, or ended too long ago. */
  get(id: string): Job | undefined {
    this.#forgetOld(maxJobs)
    return this.#jobs.get(id)
  }

  /** Oldest first. */
  get ids(): readonly string[] {
    this.#forgetOld(maxJobs)
    return [...this.#jobs.keys()]
  }

  /** Ends all, and waits until they have. Calling it twice is fine. */
  async close(): Promise<void> {
    this.#isClosed = true
    const jobs = [...this.#jobs.values()]
    for (const job of jobs) job.cancel()
    await Promise.all(jobs.map(job => job.ended))
  }

  #forgetOld(keep: number): void {
    for (const job of this.#jobs.values()) {
      if (job.endedAtMs === undefined) continue
      if (this.#jobs.size > keep || this.#clock() - job.endedAtMs > keptAfterEndMs) this.#jobs.delete(job.id)
    }
  }
}

export class Job {
  readonly id: string
  readonly title: string
  /** Never rejects. */
  readonly ended: Promise<void>
  readonly #controller = new AbortController()
  readonly #listeners = new Set<(report: JobReport) => void>()
  #report: JobReport = { output: '', details: {} }
  #end: JobEnd | undefined
  #endedAtMs: number | undefined

  constructor(id: string, { title, run }: JobWork, clock: () => number) {
    this.id = id
    this.title = title
    this.ended = this.#follow(run).then(() => {
      this.#endedAtMs = clock()
      this.#listeners.clear()
    })
  }

  get state(): JobState {
    if (this.#endedAtMs === undefined || this.#end === undefined) return 'running'
    if (this.#controller.signal.aborted) return 'cancelled'
    return this.#end.isError ? 'failed' : 'completed'
  }

  /** What it has said so far; all of it once it has ended. */
  get report(): JobReport {
    return this.#end ?? this.#report
  }

  get problem(): string | undefined {
    return this.#end?.problem
  }

  get endedAtMs(): number | undefined {
    return this.#endedAtMs
  }

  /** Asks it to end. False when it had ended already. */
  cancel(): boolean {
    if (this.#endedAtMs !== undefined) return false
    this.#controller.abort(new AnchorageError('job-cancelled', 'The job was cancelled.'))
    return true
  }

  /** Calls back with each report until the returned function is called. */
  onReport(listener: (report: JobReport) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async #follow(run: JobWork['run']): Promise<void> {
    const tell = (report: JobReport): void => {
      this.#report = report
      for (const listener of this.#listeners) listener(report)
    }
    try {
      this.#end = await run(this.#controller.signal, tell)
    } catch (error) {
      // Nobody waits for a job: whatever goes wrong is told to whoever asks for it.
      this.#end = { ...this.#report, isError: true, problem: error instanceof Error ? error.message : String(error) }
    }
  }
}
