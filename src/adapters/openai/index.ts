// `anchorage/adapters/openai`: tools for Chat Completions (`runTools`) and for the Responses API. Nothing of the SDK is imported.

export { openaiTools, type OpenaiRunner, type OpenaiTool } from './chat.ts'
export {
  answerResponseCalls,
  responseTools,
  type ResponseCallOutput,
  type ResponseContent,
  type ResponseTool,
  type ResponseToolOptions,
} from './responses.ts'
export type { AdaptedCall, AdapterOptions } from '../../core/adapted-call.ts'
