import { describeEveryKind } from './expectations.ts'

describeEveryKind('node')
