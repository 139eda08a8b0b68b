export { eventually, type EventuallyOptions } from "./eventually.ts";
export { TestEnvironment, type TestEnvironmentOptions } from "./test-environment.ts";
