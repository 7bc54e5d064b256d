/** Test helpers, for this repository and for programs that build on Helve. */
export { createTestHelve, type TestConnection, type TestHelve, type TestHelveOptions, testTool } from './test-helve.js';
