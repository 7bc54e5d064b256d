/** The provider of tools written in this repository. */
export { createNativeProvider, type NativeServices } from './native-provider.js';
