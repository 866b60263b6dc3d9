// Serves the stand-in's page beside the tests, at the one path where the published client looks.

import { readFileSync } from 'node:fs'

interface Server {
  readonly middlewares: {
    use(handler: (request: { readonly url?: string }, response: Response, next: () => void) => void): void
  }
}

interface Response {
  setHeader(name: string, value: string): void
  end(body: string): void
}

/** A plugin for Vite. */
export function containerStandIn(headers: Readonly<Record<string, string>>): { name: string; configureServer(server: Server): void } {
  return {
    name: 'webcontainer-stand-in',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        if (request.url?.split('?')[0] !== '/headless') {
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
