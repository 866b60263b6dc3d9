// Commands with which a test in a browser has a repository served by the machine that runs the tests.

import { spawnSync } from 'node:child_process'
import type { BrowserCommand } from 'vitest/node'

import { ServedRepository } from './served-repository.ts'

const running = new Map<string, ServedRepository>()

const hasGit: BrowserCommand<[]> = () => spawnSync('git', ['--version']).status === 0

const serveRepository: BrowserCommand<[]> = async () => {
  const served = await ServedRepository.start()
  running.set(served.url, served)
  return served.url
}

const runServed: BrowserCommand<[url: string, script: string]> = (_context, url, script) => {
  const served = running.get(url)
  if (served === undefined) throw new Error(`nothing is served at ${url}`)
  return served.run(script)
}

const stopServing: BrowserCommand<[url: string]> = async (_context, url) => {
  await running.get(url)?.stop()
  running.delete(url)
}

export const servedCommands: Readonly<Record<string, BrowserCommand<never[]>>> = Object.fromEntries(
  Object.entries({ hasGit, serveRepository, runServed, stopServing }),
)

declare module 'vitest/browser' {
  interface BrowserCommands {
    hasGit: () => Promise<boolean>
    serveRepository: () => Promise<string>
    runServed: (url: string, script: string) => Promise<string>
    stopServing: (url: string) => Promise<void>
  }
}
