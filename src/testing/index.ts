/** For tests, ours and those of whoever builds on Helve. */
export { createTestHelve, type TestConnection, type TestHelve, type TestHelveOptions, testTool } from './test-helve.js';
