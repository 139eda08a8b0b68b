/**
 * The generators behind `tsop generate`, for tools that need the types of a project.
 *
 * @module tsop/codegen
 */
export type { JsonSchema, ValidationRule } from "../apimachinery/json-schema.ts";
export { DiagnosticsError, formatDiagnostic, type Diagnostic } from "../errors/diagnostic.ts";
export { applyPlan, type ApplyOptions } from "../files/apply.ts";
export type { Disk } from "../files/disk.ts";
export { memoryDisk, type MemoryDisk } from "../files/memory-disk.ts";
export type { Applied, FileChange, Plan } from "../files/plan.ts";
export { realDisk } from "../files/real-disk.ts";
export type { CatalogueEntry, FieldDescriptor } from "./describe-for-catalogue.ts";
export { generate, loadProjectTypes } from "./run-generators.ts";
export type { Generated, GenerateOptions, LoadedProject, LoadOptions, Output } from "./run-generators.ts";
export type { RequiredKind } from "./report-lost-kinds.ts";
export { markerReference } from "./markers/reference.ts";
export type { ArgumentDescription, MarkerDescription } from "./markers/reference.ts";
export type { MarkerTarget } from "./markers/marker.ts";
export type { ParsedMarker } from "./source/parse-markers.ts";
export type {
  DefinedVersion,
  KindVersion,
  PrintColumn,
  ProjectTypes,
  ResourceDefinition,
  ScalePaths,
} from "./model.ts";
