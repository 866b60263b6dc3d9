// Serves the stand-in's page beside the tests, at the one path that the published client loads.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { observationsPath } from './observe.ts'

interface Server {
  readonly middlewares: {
    use(handler: (request: Request, response: Response, next: () => void) => void): void
  }
}

interface Request extends AsyncIterable<unknown> {
  readonly url?: string
  readonly method?: string
}

interface Response {
  setHeader(name: string, value: string): void
  end(body: string): void
}

/** A plugin for Vite. */
export function containerStandIn(headers: Readonly<Record<string, string>>): {
  name: string
  configureServer(server: Server): void
} {
  return {
    name: 'webcontainer-stand-in',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const path = request.url?.split('?')[0]
        if (path === '/webcontainer-mode') {
          response.end(process.env['WEBCONTAINER'] === 'live' ? 'live' : 'standin')
          return
        }
        if (path === observationsPath) {
          void keep(request, response)
          return
        }
        if (path !== '/headless') {
          next()
          return
        }
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
        response.setHeader('Content-Type', 'text/html; charset=utf-8')
        response.end(readFileSync(new URL('../../../e2e/webcontainer/headless.html', import.meta.url), 'utf8'))
      })
    },
  }
}

const observationsFile = fileURLToPath(new URL('../../../e2e/observations/webcontainer.json', import.meta.url))

/** The findings of the last live run: read by the next one, and replaced by it. */
async function keep(request: Request, response: Response): Promise<void> {
  if (request.method !== 'POST') {
    response.end(existsSync(observationsFile) ? readFileSync(observationsFile, 'utf8') : '')
    return
  }
  let body = ''
  for await (const chunk of request) body += String(chunk)
  mkdirSync(dirname(observationsFile), { recursive: true })
  writeFileSync(observationsFile, body)
  response.end('kept')
}
