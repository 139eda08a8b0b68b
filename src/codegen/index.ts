export { generate, loadProjectTypes } from "./generate.ts";
export type { Generated, GenerateOptions, LoadedProject, Output } from "./generate.ts";
export type {
  DefinedVersion,
  KindVersion,
  PrintColumn,
  ProjectTypes,
  ResourceDefinition,
  ScalePaths,
} from "./model.ts";
