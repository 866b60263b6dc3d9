// `anchorage/adapters/ai-sdk`: tools and a sandbox for the AI SDK. Nothing of the SDK is imported.

export {
  aiSdkTools,
  toolApproval,
  type AiSdkCallOptions,
  type AiSdkModelOutput,
  type AiSdkOptions,
  type AiSdkOutput,
  type AiSdkTool,
} from './tools.ts'
export {
  sandbox,
  type AiSdkSandbox,
  type SandboxCommandOptions,
  type SandboxCommands,
  type SandboxOptions,
  type SandboxPathOptions,
  type SandboxProcess,
} from './sandbox.ts'
export type { AdaptedCall, AdapterOptions } from '../../core/adapted-call.ts'
