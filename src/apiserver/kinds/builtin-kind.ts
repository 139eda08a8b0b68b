import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { ResourceEntry, Strategy } from "../registry/served-resource.ts";
import { type Printer } from "./printing/printer.ts";

/** Everything the server knows about a built-in kind beyond its schema. */
export interface BuiltinKind extends Strategy {
  /** The columns of `kubectl get`; without it, the name and the time of creation. */
  readonly printer?: Printer;
  /** Storage and conversion of a resource that is only a view of another. */
  readonly view?: Pick<ResourceEntry, "storage" | "read" | "write">;
  /** Returns the objects that every cluster has; `now` is their time. */
  readonly seeds?: (now: string, isServed: (group: string) => boolean) => readonly UnstructuredObject[];
}
