// Waits until the process that started it has ended, in any way, and ends what it has left behind: node .ci/reaper.mjs MARK
import { endMarked } from './processes.mjs'

process.stdin.on('close', () => endMarked(process.argv[2]))
process.stdin.resume()
