import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { UserInfo } from "../api-server.ts";
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
  readonly user: UserInfo;
}
