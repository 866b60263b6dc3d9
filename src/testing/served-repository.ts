// A repository behind real git and HTTP, for tests in Node and in browsers: `seed` is where others work, `x.git` is what they push to.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { GitServer } from './git-server.ts'
import { gitEnvironment } from './git-environment.ts'

const history = `git init -q -b main seed && cd seed && seq 1 400 > a && mkdir d && echo b > d/b && git add . && git commit -qm one && git tag -a v1 -m v1 &&
  sed 's/^7$/seven/' a > t && mv t a && git commit -qam two && git checkout -q -b topic && echo t > t && git add t && git commit -qm three &&
  git checkout -q main && cd .. && git clone -q --bare seed x.git && git -C x.git config http.receivepack true && git -C x.git gc -q`

const start = 1_600_000_000

export class ServedRepository {
  readonly #root: string
  readonly #server: GitServer

  private constructor(root: string, server: GitServer) {
    this.#root = root
    this.#server = server
  }

  /** Everybody must be `user` with the password `secret`. */
  static async start(): Promise<ServedRepository> {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'anchorage-served-')))
    const served = new ServedRepository(root, await GitServer.start(root))
    served.run(history)
    return served
  }

  get origin(): string {
    return this.#server.origin
  }

  get url(): string {
    return `${this.origin}/x.git`
  }

  /** Every request so far, as `GET /path`. */
  get requests(): readonly string[] {
    return this.#server.requests
  }

  /** Runs a script of the shell on the server's side. Returns what it says. */
  run(script: string): string {
    const env = gitEnvironment(this.#root, start)
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: this.#root, env })
    if (status !== 0) throw new Error(`${script}: ${stderr.toString()}`)
    return stdout.toString().trim()
  }

  async stop(): Promise<void> {
    await this.#server.stop()
    rmSync(this.#root, { recursive: true, force: true })
  }
}
