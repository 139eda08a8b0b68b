import type { ConnectionPool, PoolOptions } from "./connection-pool.ts";
import { http1Pool } from "./http1-pool.ts";

/** Under this key, a simulation gives a process its connections. */
const simulated = Symbol.for("tsop.connections");

/** Creates connections to a server: over HTTP, or in a simulation of `tsop check` and `simulate`, within the program. */
export async function openPool(options: PoolOptions): Promise<ConnectionPool> {
  const { [simulated]: open } = process as typeof process & { readonly [simulated]?: () => ConnectionPool };
  return open ? open() : http1Pool(options);
}

/** Reports whether connections are simulated: they never fall silent, and no code takes time. */
export function isSimulated(): boolean {
  return simulated in process;
}
