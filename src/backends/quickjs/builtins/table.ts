// The modules that a program can use without files.

import { words } from '../../../core/words.ts'
import { bufferModule } from './buffer.ts'
import { consoleModule } from './console.ts'
import { eventsModule } from './events.ts'
import { fsModule } from './fs.ts'
import { pathModule } from './path.ts'
import { processModule } from './process.ts'
import {
  assertModule,
  fsPromisesModule,
  osModule,
  performanceModule,
  readlineModule,
  readlinePromisesModule,
  strictAssertModule,
  timersModule,
  timersPromisesModule,
  urlModule,
} from './small-modules.ts'
import { utilModule } from './util.ts'

/** name → text of a function, called with `exports`, `require`, `module` and the internals of `startup`. */
export const builtinModules: Readonly<Record<string, string>> = {
  assert: assertModule,
  'assert/strict': strictAssertModule,
  buffer: bufferModule,
  console: consoleModule,
  events: eventsModule,
  fs: fsModule,
  'fs/promises': fsPromisesModule,
  os: osModule,
  path: pathModule,
  'path/posix': pathModule,
  perf_hooks: performanceModule,
  process: processModule,
  readline: readlineModule,
  'readline/promises': readlinePromisesModule,
  timers: timersModule,
  'timers/promises': timersPromisesModule,
  url: urlModule,
  util: utilModule,
}

export const builtinNames: readonly string[] = Object.keys(builtinModules)

/** Node has them, and this engine does not. */
export const missingModules: ReadonlySet<string> = new Set(
  words(`
    async_hooks child_process cluster crypto dgram diagnostics_channel dns domain http http2 https inspector module net punycode
    querystring repl sqlite stream stream/promises string_decoder test tls tty v8 vm wasi worker_threads zlib
  `),
)
