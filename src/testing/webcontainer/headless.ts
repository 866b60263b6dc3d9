// The other end of the published client: the server at `/headless`, with one filesystem in memory, one shell, and one set of quirks. It is
// used through the real `@webcontainer/api`, so the client's behaviour is part of every test.

import { memory } from '../../backends/memory/index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { field, fileFunctions, loadFiles, serialize, workdir } from './files.ts'
import { expose, remote, type Exposed } from './numeric-wire.ts'
import { createProcesses } from './processes.ts'
import { createQuirks, type QuirkSettings } from './quirks.ts'

/** A server for one page: the client makes one connection and boots repeatedly through it. */
export function headlessServer(settings: QuirkSettings = {}): Exposed {
  const quirks = createQuirks(settings)
  return {
    async build() {
      await quirks.pause()
      if (quirks.has('failing-boots') && quirks.random.chance(1 / 50)) throw new Error('the runtime could not be started')
      const fs = createVfs(memory())
      await fs.mkdir(workdir, { recursive: true })
      await fs.mkdir('/tmp')
      const processes = createProcesses(fs, quirks)
      return remote({
        fs: () => remote(fileFunctions(fs, quirks)),
        previewScript: () => remote({}),
        runtimeInfo: () => ({ path: '/usr/local/bin:/usr/bin:/bin', cwd: workdir }),
        loadFiles: (payload: unknown, options: unknown) => loadFiles(fs, payload, field(options, 'mountPoints')),
        serialize: (path: unknown, options: unknown) => serialize(fs, path, options),
        run: processes.run,
        on: () => remote(() => {}),
        setPreviewScript: () => {},
        teardown: () => processes.dispose(),
      })
    },
  }
}

/** Serves `port`, as the page in the iframe does after it has posted the other end to its parent. */
export function serveHeadless(port: MessagePort, settings: QuirkSettings = {}): void {
  const quirks = createQuirks({ ...settings, seed: (settings.seed ?? 1) + 1 })
  expose(headlessServer(settings), port, { before: quirks.pause })
}
