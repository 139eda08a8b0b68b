import type { Client, ClientConfig } from "../../../../src/index.ts";
import type { Fault } from "../../../../src/testing/index.ts";

/** An API server that can be made to misbehave, and that ends and begins again on the same port, with what it held. */
export interface ChaosServer {
  readonly port: number;
  /** What a client behind another port needs. */
  readonly config: ClientConfig;
  /** An administrator's, past the network. */
  readonly client: Client;
  /** Watches of the operator that are open. */
  readonly watches: number;
  inject(fault: Fault): () => void;
  restart(): Promise<void>;
  /** Sets the server's clock, where that is possible. */
  jump?(ms: number): void;
  stop(): Promise<void>;
}
