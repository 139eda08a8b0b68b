import { TsopError } from "../../errors/tsop-error.ts";

/** The part of client-node's `KubeConfig` that tsop needs. */
export interface KubeConfigLike {
  loadFromOptions(options: KubeConfigOptions): void;
  /** Adds the headers that authenticate the current user. */
  applyToHTTPSOptions?(options: { headers: Record<string, unknown> }): Promise<void>;
}

/** The part of client-node's module that tsop needs. */
export interface ClientNodeModule<K extends KubeConfigLike = KubeConfigLike> {
  readonly KubeConfig: new () => K;
}

/** A kubeconfig for client-node's `loadFromOptions`. */
export interface KubeConfigOptions {
  readonly clusters: readonly Readonly<Record<string, unknown>>[];
  readonly users: readonly Readonly<Record<string, unknown>>[];
  readonly contexts: readonly Readonly<Record<string, unknown>>[];
  readonly currentContext: string;
}

/**
 * Loads @kubernetes/client-node, an optional peer; if it is missing, throws a TsopError with the command that installs
 * it.
 */
export async function loadClientNode(): Promise<ClientNodeModule> {
  // A name in a variable, so that neither compilers nor bundlers require the package.
  const name: string = "@kubernetes/client-node";
  try {
    return (await import(/* webpackIgnore: true */ name)) as ClientNodeModule;
  } catch (error) {
    throw new TsopError("TSOP_CLIENT_NODE_MISSING", {}, { cause: error });
  }
}
