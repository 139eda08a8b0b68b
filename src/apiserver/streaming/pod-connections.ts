import type { Duplex } from "node:stream";
import type { CommandEnd, CommandStreams } from "./remote-command.ts";

/** The containers that a server can connect clients with. */
export interface PodConnections {
  /** Runs a command in a container, and returns how it ended. */
  exec(target: ContainerTarget & CommandOptions, streams: CommandStreams): Promise<CommandEnd>;
  /** Connects a client with the process of a container. */
  attach(target: ContainerTarget, streams: CommandStreams): Promise<CommandEnd>;
  /** Opens a connection to a port of a pod. */
  connect(target: Pick<ContainerTarget, "namespace" | "pod">, port: number): Promise<Duplex>;
}

export interface ContainerTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export interface CommandOptions {
  readonly command: readonly string[];
  readonly tty: boolean;
}
