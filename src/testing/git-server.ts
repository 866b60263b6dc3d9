// Real git behind HTTP on the loopback address, with Basic auth and CORS: `git http-backend` as a server would run it.

import { spawn, spawnSync } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export class GitServer {
  readonly #root: string
  readonly #server: Server
  readonly #running = new Set<ReturnType<typeof spawn>>()
  /** Every request, as `GET /path`. */
  readonly requests: string[] = []

  private constructor(root: string) {
    this.#root = root
    this.#server = createServer((request, response) => this.#serve(request, response))
  }

  /** Serves the repositories in `root`. Everybody must be `user` with the password `secret`. */
  static async start(root: string): Promise<GitServer> {
    const server = new GitServer(root)
    await new Promise<void>(resolve => void server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    for (const child of this.#running) child.kill()
    this.#server.closeAllConnections()
    await new Promise<void>(resolve => void this.#server.close(() => resolve()))
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.origin)
    this.requests.push(`${request.method} ${url.pathname}`)
    // A page of another origin may ask, as with a server that is made for browsers.
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'authorization, content-type')
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end()
      return
    }
    if (url.pathname.startsWith('/moved/')) {
      response.writeHead(302, { location: `${url.pathname.slice('/moved'.length)}${url.search}` }).end()
      return
    }
    if (url.pathname.startsWith('/elsewhere/')) {
      response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
      return
    }
    if (request.headers.authorization !== `Basic ${btoa('user:secret')}`) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    const child = spawn(join(spawnSync('git', ['--exec-path']).stdout.toString().trim(), 'git-http-backend'), {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: this.#root,
        GIT_HTTP_EXPORT_ALL: '1',
        REQUEST_METHOD: request.method,
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        REMOTE_USER: 'user',
        REMOTE_ADDR: '127.0.0.1',
      },
    })
    this.#running.add(child)
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => void parts.push(part))
    child.on('close', () => {
      this.#running.delete(child)
      const all = Buffer.concat(parts)
      const end = all.indexOf('\r\n\r\n')
      const headers = new Map(
        all
          .subarray(0, end)
          .toString('latin1')
          .split('\r\n')
          .map(line => line.split(': ', 2) as [string, string]),
      )
      const status = Number(headers.get('Status')?.slice(0, 3) ?? 200)
      headers.delete('Status')
      response.writeHead(status, Object.fromEntries(headers)).end(all.subarray(end + 4))
    })
    request.pipe(child.stdin)
  }
}
