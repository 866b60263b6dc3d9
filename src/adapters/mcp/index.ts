// `anchorage/adapters/mcp`: registers tools on an MCP server of SDK 1.x or 2.x, and provides transports within a browser. Nothing
// of the SDK is imported.

export { registerTools, type McpServerLike } from './register.ts'
export { linkedTransports, messagePortTransport, type McpTransport, type MessageEndpoint } from './transport.ts'
export type { AdaptedCall, AdapterOptions } from '../../core/adapted-call.ts'
