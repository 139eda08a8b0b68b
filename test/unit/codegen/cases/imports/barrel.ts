export * from "./deep.ts";
export { Named } from "./other.ts";
