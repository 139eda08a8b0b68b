import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { ServedResource } from "./served-resource.ts";
import type { Strategy } from "./strategy.ts";

/** A served resource with everything the verbs need. */
export interface ResourceEntry {
  readonly resource: ServedResource;
  readonly strategy: Strategy;
  /** True if the CRD is being deleted: no object can be created. */
  readonly terminating?: boolean;
  /** The OpenAPI name of the Go type by which bodies are decoded; absent for custom resources, which have a schema. */
  readonly type?: string;
  /** The collection of its objects: `events` of both groups share one. */
  readonly storage: { readonly group: string; readonly plural: string };
  /** Set if a webhook converts: to be awaited before `read` is called for these objects. */
  load?(stored: Iterable<UnstructuredObject>): Promise<void>;
  /** Returns a stored object in this entry's version; shared and frozen like its argument. */
  read(stored: UnstructuredObject): UnstructuredObject;
  /**
   * Returns an object of a request in this entry's version, with fields that its schema does not declare and without
   * its defaults, as it was not read from the storage; absent if all versions have the same fields.
   */
  convert?(object: UnstructuredObject): UnstructuredObject | Promise<UnstructuredObject>;
  /** Returns the stored form of an object; a promise if a webhook converts. May change its argument. */
  write(object: UnstructuredObject): UnstructuredObject | Promise<UnstructuredObject>;
}
