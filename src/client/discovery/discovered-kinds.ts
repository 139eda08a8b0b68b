import type { Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { isKindNotServed, type ApiCaller } from "../calls/api-caller.ts";
import type { CallOptions } from "../client.ts";
import { discoverGroupVersion, unknownKind, discoverVersions } from "./discover-group-version.ts";
import { abortable } from "../transport/abortable.ts";

/** The discovered kinds of a server. A miss is not cached, so a CRD that is installed later is found. */
export class DiscoveredKinds {
  private readonly caller: ApiCaller;
  private readonly kinds = new Map<string, Kind<UnstructuredObject>>();
  private readonly preferred = new Map<string, Kind<UnstructuredObject>>();
  private readonly groupVersions = new SharedCalls<readonly Kind<UnstructuredObject>[]>();
  private readonly groups = new SharedCalls<readonly string[]>();

  constructor(caller: ApiCaller) {
    this.caller = caller;
  }

  async find(apiVersion: string, kind: string, { signal }: CallOptions = {}): Promise<Kind<UnstructuredObject>> {
    const name = `${apiVersion}/${kind}`;
    const known = this.kinds.get(name);
    if (known) return known;
    const all = await this.groupVersions.get(apiVersion, signal, (shared) =>
      noneIfNotServed(discoverGroupVersion(this.caller, { apiVersion, kind }, { signal: shared })),
    );
    for (const each of all) {
      const itsName = `${apiVersion}/${each.kind}`;
      if (!this.kinds.has(itsName)) this.kinds.set(itsName, each);
    }
    const found = this.kinds.get(name);
    if (!found) throw notServed(apiVersion, kind);
    return found;
  }

  /** Finds a kind in the version that the server prefers, else in the first other version that has it. */
  async findPreferred(group: string, kind: string, options?: CallOptions): Promise<Kind<UnstructuredObject>> {
    const name = `${group}/${kind}`;
    const found = this.preferred.get(name) ?? (await this.askPreferred(group, kind, options));
    this.preferred.set(name, found);
    return found;
  }

  /** Forgets a group after the server denied one of its kinds. */
  forget(group: string): void {
    for (const known of [this.kinds, this.preferred]) {
      for (const [name, kind] of known) if (kind.group === group) known.delete(name);
    }
  }

  private async askPreferred(group: string, kind: string, options?: CallOptions): Promise<Kind<UnstructuredObject>> {
    const versions = await this.groups.get(group, options?.signal, (signal) =>
      noneIfNotServed(discoverVersions(this.caller, { group, kind }, { signal })),
    );
    let missing: unknown = notServed(`${group}/*`, kind);
    for (const apiVersion of versions) {
      try {
        return await this.find(apiVersion, kind, options);
      } catch (error) {
        if (!isKindNotServed(error)) throw error;
        if (apiVersion === versions[0]) missing = error;
      }
    }
    throw missing;
  }
}

/** Returns no kinds instead of an error: each of the waiting callers throws the error of its own kind. */
async function noneIfNotServed<T>(answer: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await answer;
  } catch (error) {
    if (isKindNotServed(error)) return [];
    throw error;
  }
}

function notServed(apiVersion: string, kind: string): TsopError {
  const { plural } = unknownKind(apiVersion, kind);
  return new TsopError("TSOP_RESOURCE_NOT_SERVED", { kind, apiVersion, plural });
}

interface SharedCall<T> {
  readonly answer: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

/** Calls shared by concurrent callers: each is made once, cancelled when all callers have given up, and not cached. */
class SharedCalls<T> {
  private readonly underWay = new Map<string, SharedCall<T>>();

  /** Returns the result of `call`, shared with concurrent callers of the same key. */
  async get(key: string, signal: AbortSignal | undefined, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const current = this.underWay.get(key) ?? begin(call);
    this.underWay.set(key, current);
    current.waiting++;
    try {
      return await abortable(current.answer, signal);
    } finally {
      if (--current.waiting === 0) {
        this.underWay.delete(key);
        current.stop.abort();
      }
    }
  }
}

function begin<T>(call: (signal: AbortSignal) => Promise<T>): SharedCall<T> {
  const stop = new AbortController();
  return { answer: call(stop.signal), stop, waiting: 0 };
}
