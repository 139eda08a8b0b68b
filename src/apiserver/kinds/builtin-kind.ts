import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { ResourceEntry } from "../registry/resource-entry.ts";
import type { Strategy } from "../registry/strategy.ts";
import { type Printer } from "./printing/printer.ts";

/** Everything the server knows of a built-in kind beyond its schema. */
export interface BuiltinKind extends Strategy {
  /** The rows of `kubectl get`; without it, the name and the time of creation. */
  readonly printer?: Printer;
  /** Where objects are stored and how they are converted, for a resource that is only a view of others. */
  readonly view?: Pick<ResourceEntry, "storage" | "read" | "write">;
  /** Objects that every cluster has. */
  readonly seeds?: () => readonly UnstructuredObject[];
}
