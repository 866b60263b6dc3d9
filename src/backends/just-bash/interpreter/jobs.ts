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
  isReported: boolean
}

export class Jobs {
  readonly #jobs: Job[] = []

  add(pid: number, source: string, ended: Promise<number>, kill: (signal: number) => boolean): Job {
    const number = (this.#jobs.at(-1)?.number ?? 0) + 1
    const job: Job = { number, pid, source, ended, status: undefined, kill, isReported: false }
    void ended.then(status => {
      job.status = status
    })
    this.#jobs.push(job)
    return job
  }

  all(): readonly Job[] {
    return this.#jobs
  }

  running(): Job[] {
    return this.#jobs.filter(({ status }) => status === undefined)
  }

  /** By `%1`, `%%`, `%+`, `%-`, `%name` or a pid. */
  find(text: string): Job | undefined {
    if (!text.startsWith('%')) return this.#jobs.findLast(({ pid }) => String(pid) === text)
    const name = text.slice(1)
    const live = this.#jobs
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
