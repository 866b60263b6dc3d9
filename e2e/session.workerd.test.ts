// In the runtime of Cloudflare Workers: no files, no threads, no eval.
import { describeSession } from './session.shared.ts'

describeSession()
