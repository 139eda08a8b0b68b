export type { CatalogueEntry, FieldDescriptor } from "./describe-for-catalogue.ts";
export { generate, loadProjectTypes } from "./generate.ts";
export type { Generated, GenerateOptions, LoadedProject, Output } from "./generate.ts";
export { markerReference } from "./markers/reference.ts";
export type { ArgumentDescription, MarkerDescription } from "./markers/reference.ts";
export type {
  DefinedVersion,
  KindVersion,
  PrintColumn,
  ProjectTypes,
  ResourceDefinition,
  ScalePaths,
} from "./model.ts";
