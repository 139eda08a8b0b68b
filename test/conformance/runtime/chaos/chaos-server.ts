import type { Client, ClientConfig } from "../../../../src/index.ts";
import type { Fault } from "../../../../src/testing/index.ts";

/** An API server that can be made to misbehave, and to stop and restart on the same port with its data. */
export interface ChaosServer {
  readonly port: number;
  /** Connection settings for a client behind another port. */
  readonly config: ClientConfig;
  /** The client of an administrator that bypasses the network. */
  readonly client: Client;
  /** Open watches of the operator. */
  readonly watches: number;
  inject(fault: Fault): () => void;
  restart(): Promise<void>;
  /** Sets the server's clock, if that is possible. */
  jump?(ms: number): void;
  stop(): Promise<void>;
}
