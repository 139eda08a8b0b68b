export { eventually, type EventuallyOptions } from "./eventually.ts";
export { manualClock, type ManualClock } from "./manual-clock.ts";
export { TestEnvironment, type TestEnvironmentOptions } from "./test-environment.ts";
