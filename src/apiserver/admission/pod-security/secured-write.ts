import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import type { Store } from "../../storage/store.ts";

/** The parts of the server that Pod Security uses, for one request. */
export interface PodSecurityScope {
  readonly store: Store;
  /** Texts for `Warning` headers. */
  readonly warnings: string[];
  /** Annotations of the request's audit event; absent without an audit. */
  readonly annotations: Record<string, string> | undefined;
}

/** A write that Pod Security checks: the creation of an object, or an update if there is an old one. */
export interface SecuredWrite {
  readonly resource: ServedResource;
  readonly subresource: string | undefined;
  readonly object: UnstructuredObject;
  readonly oldObject: UnstructuredObject | undefined;
}
