import { describeEveryKind } from './expectations.ts'

describeEveryKind('workerd')
