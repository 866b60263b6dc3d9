// Background commands of a session. They run until they or the session end, and are found by ID.

import { AnchorageError, ToolError } from '../core/errors.ts'

export type JobState = 'running' | 'completed' | 'failed' | 'cancelled'

/** The output of a job so far, or all of it after the job has ended. */
export interface JobReport {
  readonly output: string
  /** Data for the host: exit code, times, files. */
  readonly details: Readonly<Record<string, unknown>>
}

export interface JobEnd extends JobReport {
  readonly isError: boolean
  /** The cause of a failure, if it is not in the output. */
  readonly problem?: string | undefined
}

export interface JobWork {
  /** The command, or another title that a user recognizes. */
  readonly title: string
  /** Abort `signal` to cancel the job. */
  readonly run: (signal: AbortSignal, tell: (report: JobReport) => void) => Promise<JobEnd>
}

/** The limit for concurrent jobs. More would only slow each other down. */
export const maxRunning: number = 16
/** Ended jobs are kept so that they can be queried. */
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
   * Starts `work` and returns its job at once. `kind` is the prefix of the ID. Throws `ToolError` `too-many-jobs` if the maximum number of
   * jobs is running, and `AnchorageError` `session-closed`.
   */
  start(kind: string, work: JobWork): Job {
    if (this.#isClosed)
      throw new AnchorageError('session-closed', 'The session was closed. Open a new one with workspace.toolset().')
    this.#forgetOld(maxJobs - 1)
    const running = [...this.#jobs.values()].filter(({ state }) => state === 'running')
    if (running.length >= maxRunning) {
      throw new ToolError('too-many-jobs', `${maxRunning} jobs are running already. Nothing was started.`, {
        nextStep: `Wait for one to end, or cancel one: ${running.map(({ id }) => id).join(', ')}.`,
      })
    }
    this.#count += 1
    const id = `${kind}-${this.#clock().toString(36)}-${this.#count.toString(36).padStart(6, '0')}`
    const job = new Job(id, work, this.#clock)
    this.#jobs.set(id, job)
    return job
  }

  /** Returns `undefined` if the job never existed, or ended too long ago. */
  get(id: string): Job | undefined {
    this.#forgetOld(maxJobs)
    return this.#jobs.get(id)
  }

  /** Oldest first. */
  get ids(): readonly string[] {
    this.#forgetOld(maxJobs)
    return [...this.#jobs.keys()]
  }

  /** Cancels all jobs, and waits until they have ended. May be called twice. */
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

  /** The output so far, or all of it after the job has ended. */
  get report(): JobReport {
    return this.#end ?? this.#report
  }

  get problem(): string | undefined {
    return this.#end?.problem
  }

  get endedAtMs(): number | undefined {
    return this.#endedAtMs
  }

  /** Cancels the job. Returns false if it had ended already. */
  cancel(): boolean {
    if (this.#endedAtMs !== undefined) return false
    this.#controller.abort(new AnchorageError('job-cancelled', 'The job was cancelled.'))
    return true
  }

  /** Calls `listener` with each report until the returned function is called. */
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
      // No caller awaits a job, so its failure is stored for the next query.
      this.#end = { ...this.#report, isError: true, problem: error instanceof Error ? error.message : String(error) }
    }
  }
}
