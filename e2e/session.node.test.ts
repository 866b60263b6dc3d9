// In Node, as `npm test` runs everything.
import { describeSession } from './session.shared.ts'

describeSession()
