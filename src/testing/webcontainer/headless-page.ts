// The script of the stand-in's page: it says to its parent that it is there, as the service's page does. `?quirks=` names quirks that are
// off, `?seed=` the seed.

import { serveHeadless } from './headless.ts'
import { quirkTable, type QuirkId } from './quirks.ts'

const parameters = new URL(location.href).searchParams
const isQuirk = (name: string): name is QuirkId => Object.hasOwn(quirkTable, name)
const off = (parameters.get('off') ?? '').split(',').filter(isQuirk)

const { port1, port2 } = new MessageChannel()
serveHeadless(port1, { seed: Number(parameters.get('seed') ?? 1), off })
window.parent.postMessage({ type: 'init' }, '*', [port2])
