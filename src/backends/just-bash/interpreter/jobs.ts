// The background jobs of one shell.

export interface Job {
  readonly number: number
  /** The process ID of the last command of the pipeline: `$!`. */
  readonly pid: number
  readonly source: string
  readonly ended: Promise<number>
  status: number | undefined
  /** Sends a signal to the job. Returns false if the job has ended. */
  readonly kill: (signal: number) => boolean
  /** Whether the exit code has been read. The job is then no longer listed, and can be found only by its process ID. */
  isTaken: boolean
}

export class Jobs {
  readonly #jobs: Job[] = []
  /** The jobs of the parent shell of a pipeline or substitution process. They can be listed and killed, but not waited for. */
  #inherited: readonly Job[] = []

  /** Lists the jobs of `outer` until this shell starts a job. */
  inherit(outer: Jobs): void {
    this.#inherited = outer.listed()
  }

  add(pid: number, source: string, ended: Promise<number>, kill: (signal: number) => boolean): Job {
    this.#inherited = []
    const number = (this.#listedOwn().at(-1)?.number ?? 0) + 1
    const job: Job = { number, pid, source, ended, status: undefined, kill, isTaken: false }
    void ended.then(status => {
      job.status = status
    })
    this.#jobs.push(job)
    return job
  }

  all(): readonly Job[] {
    return this.#jobs
  }

  /** The jobs in the order in which `jobs` lists them. */
  listed(): readonly Job[] {
    return this.#inherited.length > 0 ? this.#inherited : this.#listedOwn()
  }

  #listedOwn(): Job[] {
    return this.#jobs.filter(({ isTaken }) => !isTaken)
  }

  /** Finds a job of this shell by process ID or by a job specification. */
  find(text: string): Job | undefined {
    if (!text.startsWith('%')) return this.#jobs.findLast(({ pid }) => String(pid) === text)
    return this.#inherited.length > 0 ? undefined : this.findListed(text)
  }

  /** Finds a job by its specification: `%1`, `%%`, `%+`, `%-` or `%name`. */
  findListed(text: string): Job | undefined {
    const name = text.slice(1)
    const live = this.listed()
    if (name === '' || name === '%' || name === '+') return live.at(-1)
    if (name === '-') return live.at(-2) ?? live.at(-1)
    if (/^\d+$/.test(name)) return live.find(({ number }) => String(number) === name)
    const isMatch = name.startsWith('?')
      ? (source: string) => source.includes(name.slice(1))
      : (source: string) => source.startsWith(name)
    return live.findLast(({ source }) => isMatch(source))
  }

  /** A script notices what has ended when it has waited for a command. Nothing finds that job any more but its process ID. */
  notice(): void {
    for (const job of this.#jobs) if (job.status !== undefined) job.isTaken = true
  }

  remove(job: Job): void {
    const index = this.#jobs.indexOf(job)
    if (index >= 0) this.#jobs.splice(index, 1)
  }
}
