import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { User } from "../api-server.ts";
import type { ServedResource } from "../registry/served-resource.ts";

/** A write as admission sees it. */
export interface AdmissionAttributes {
  readonly resource: ServedResource;
  readonly subresource: string | undefined;
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly namespace: string | undefined;
  readonly name: string;
  readonly object: UnstructuredObject | undefined;
  readonly oldObject: UnstructuredObject | undefined;
  readonly dryRun: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly user: User;
  /** Other versions of the resource. */
  readonly equivalents: readonly Equivalent[];
  /** The resource of the request, where the write is shown in another version. */
  readonly requested?: ServedResource;
}

/** Another version of the resource that is written, with the way there and back. */
export interface Equivalent {
  readonly resource: ServedResource;
  to(object: UnstructuredObject): Promise<UnstructuredObject>;
  from(object: UnstructuredObject): Promise<UnstructuredObject>;
}
