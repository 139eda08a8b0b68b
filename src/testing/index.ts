/**
 * Tests of operators: API servers, embedded or real, and checks with faults.
 *
 * @module tsop/testing
 */
export { checkConversion, type CheckConversionOptions } from "./check-conversion.ts";
export { checkOperator, type CheckedResult, type CheckOperatorOptions } from "./check-operator.ts";
export { consistently, eventually, type ConsistentlyOptions, type EventuallyOptions } from "./eventually.ts";
export { manualClock, type ManualClock } from "./manual-clock.ts";
export { openCrd } from "./open-crd.ts";
export { readObject } from "./read-object.ts";
export { reconcileContext } from "./reconcile-context.ts";
export { simulate } from "./simulate.ts";
export type { Simulated, SimulateOptions } from "./simulated.ts";
export { TestFleet } from "./test-fleet.ts";
export { TestEnvironment, type TestEnvironmentOptions } from "./test-environment.ts";
export type { SandboxFault as Fault, SandboxUser as User } from "../sandbox/start-sandbox.ts";
export type { Conversion } from "../check/conversion/conversion.ts";
export type { Finding } from "../check/report/finding.ts";
export type { FaultClass } from "../check/plans/plan.ts";
export type { OlderSource } from "../local/older-version.ts";
