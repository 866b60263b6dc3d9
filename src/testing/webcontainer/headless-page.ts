// The script of the stand-in's page: it tells its parent that it has loaded, as the service's page does. The test that contains the frame
// selects the quirks.

import { serveHeadless } from './headless.ts'
import { settingsOf } from './page-settings.ts'

const { port1, port2 } = new MessageChannel()
serveHeadless(port1, settingsOf(window.parent))
window.parent.postMessage({ type: 'init' }, '*', [port2])
