import { describeEveryKind } from './expectations.ts'

describeEveryKind('page')
