// What runs in the background of one shell.

export interface Job {
  readonly number: number
  /** Of the last process of the pipeline: `$!`. */
  readonly pid: number
  readonly source: string
  readonly ended: Promise<number>
  status: number | undefined
  /** How a signal reaches it. `false`: it is over. */
  readonly kill: (signal: number) => boolean
  /** Its status was taken: it stands in no list any more, and only its pid finds it. */
  isTaken: boolean
}

export class Jobs {
  readonly #jobs: Job[] = []
  /** Those of the shell that a pipeline's or a substitution's process comes from. They are listed and killed, and not waited for. */
  #inherited: readonly Job[] = []

  /** Shows the jobs of `outer` until this shell starts one. */
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

  /** As `jobs` shows them. */
  listed(): readonly Job[] {
    return this.#inherited.length > 0 ? this.#inherited : this.#listedOwn()
  }

  #listedOwn(): Job[] {
    return this.#jobs.filter(({ isTaken }) => !isTaken)
  }

  running(): Job[] {
    return this.#jobs.filter(({ status }) => status === undefined)
  }

  /** One of this shell by its pid, or as `findListed`. */
  find(text: string): Job | undefined {
    if (!text.startsWith('%')) return this.#jobs.findLast(({ pid }) => String(pid) === text)
    return this.#inherited.length > 0 ? undefined : this.findListed(text)
  }

  /** By `%1`, `%%`, `%+`, `%-` or `%name`. */
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

  remove(job: Job): void {
    const index = this.#jobs.indexOf(job)
    if (index >= 0) this.#jobs.splice(index, 1)
  }
}
