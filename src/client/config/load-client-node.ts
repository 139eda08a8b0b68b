import { TsopError } from "../../errors/tsop-error.ts";

/** The part of client-node's `KubeConfig` that tsop needs. */
export interface KubeConfigLike {
  loadFromOptions(options: KubeConfigOptions): void;
  /** Adds the headers that say who the current user is. */
  applyToHTTPSOptions?(options: { headers: Record<string, unknown> }): Promise<void>;
}

/** The part of client-node's module that tsop needs. */
export interface ClientNodeModule<K extends KubeConfigLike = KubeConfigLike> {
  readonly KubeConfig: new () => K;
}

/** A kubeconfig as client-node's `loadFromOptions` takes it. */
export interface KubeConfigOptions {
  readonly clusters: readonly Readonly<Record<string, unknown>>[];
  readonly users: readonly Readonly<Record<string, unknown>>[];
  readonly contexts: readonly Readonly<Record<string, unknown>>[];
  readonly currentContext: string;
}

/** Loads @kubernetes/client-node, an optional peer; throws a TsopError that says how to install it if it is absent. */
export async function loadClientNode(): Promise<ClientNodeModule> {
  // A name in a variable: the compiler must not ask for a package that may be absent.
  const name: string = "@kubernetes/client-node";
  try {
    return (await import(name)) as ClientNodeModule;
  } catch (error) {
    throw new TsopError("TSOP_CLIENT_NODE_MISSING", {}, { cause: error });
  }
}
