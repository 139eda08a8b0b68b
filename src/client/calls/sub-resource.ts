import { apiVersionOf, type Kind } from "../../apimachinery/kind.ts";
import { objectKey, type KubeObject, type Named, type ObjectRef } from "../../apimachinery/meta.ts";
import type { ApiCall, ApiCaller } from "./api-caller.ts";
import { acceptFor, mustBeWhole, objectAddress, requestPath, writeQuery, type PartialKey } from "./request-path.ts";
import type {
  ApplyConfiguration,
  ApplyOptions,
  CallOptions,
  Patch,
  SubResourceClient,
  WriteOptions,
} from "../client.ts";

type WithDefaults = <O extends WriteOptions>(options: O) => O;

/**
 * Creates the verbs of one subresource. They return the server's response: the object for status, a Scale for scale.
 */
export function subResourceClient(caller: ApiCaller, name: string, withDefaults: WithDefaults): SubResourceClient {
  return new SubResource(caller, name, withDefaults);
}

class SubResource implements SubResourceClient {
  private readonly caller: ApiCaller;
  private readonly subresource: string;
  private readonly withDefaults: WithDefaults;

  constructor(caller: ApiCaller, subresource: string, withDefaults: WithDefaults) {
    this.caller = caller;
    this.subresource = subresource;
    this.withDefaults = withDefaults;
  }

  get<T extends object>(kind: Kind, object: ObjectRef, options: CallOptions = {}): Promise<T> {
    return this.send(kind, objectKey(object), { method: "GET", options });
  }

  create<T extends object>(kind: Kind, object: ObjectRef, body: T, options: WriteOptions = {}): Promise<T> {
    return this.send(kind, objectKey(object), { method: "POST", body, options });
  }

  async update<T extends KubeObject>(kind: Kind<T>, object: T, options: WriteOptions = {}): Promise<Named<T>> {
    mustBeWhole(`update ${this.subresource}`, kind);
    return this.send(kind, object.metadata, { method: "PUT", body: withDefaultType(kind, object), options });
  }

  patch<T extends KubeObject>(
    kind: Kind<T>,
    object: ObjectRef,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<Named<T>> {
    const { body, type: contentType } = patch;
    const accept = acceptFor(kind, "PartialObjectMetadata");
    return this.send(kind, objectKey(object), { method: "PATCH", body, contentType, accept, options });
  }

  apply<T extends KubeObject>(kind: Kind<T>, object: ApplyConfiguration<T>, options: ApplyOptions): Promise<Named<T>> {
    const patch = { type: "application/apply-patch+yaml", body: withDefaultType(kind, object) } as const;
    return this.patch(kind, object.metadata, patch, options);
  }

  private async send<T>(kind: Kind, key: PartialKey, call: Send): Promise<T> {
    const subresource = this.subresource;
    const { options, ...rest } = call;
    const at = { ...objectAddress(subresource, kind, key), subresource };
    const query = call.method === "GET" ? {} : writeQuery(this.withDefaults(options));
    const path = requestPath(kind, at, query);
    return (await this.caller.call({ ...rest, path, kind, subresource, signal: options.signal })) as T;
  }
}

interface Send extends Pick<ApiCall, "method" | "body" | "contentType" | "accept"> {
  readonly options: WriteOptions;
}

/** Adds the type to a body, unless the caller sets another one (Scale, Eviction). */
function withDefaultType(kind: Kind, object: object): object {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object };
}
