/** The provider of tools written in this repository. */
export { checkToolDefinitions, createNativeProvider, type ToolkitSettings } from './native-provider.js';
export type { NativeServices } from './tool-context.js';
