import { PassThrough, Writable, type Duplex, type Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { Status, StatusReason } from "../../apimachinery/status.ts";
import { commandChannels, commandProtocols } from "../../apimachinery/streaming/command-channels.ts";
import { WebSocketPeer } from "../../apimachinery/streaming/web-socket.ts";
import { SpdySession } from "./spdy-session.ts";
import type { Handshake, Upgraded } from "./upgrade.ts";

/** The streams that a client asks for. */
export interface WantedStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The client's ends of a command's streams; those that it did not ask for are absent. */
export interface CommandStreams {
  readonly stdin?: Readable | undefined;
  readonly stdout?: Writable | undefined;
  readonly stderr?: Writable | undefined;
  /** The sizes of the client's terminal, a line of JSON each: `{"Width":80,"Height":24}`. */
  readonly sizes?: Readable | undefined;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

/** How a command ended: a Status, whose reason may be an exit code. */
export type CommandEnd = Omit<Partial<Status>, "reason"> & { readonly reason?: StatusReason | "NonZeroExitCode" };

export type Command = (streams: CommandStreams) => Promise<CommandEnd>;

/** The protocols of exec and attach. */
export const remoteCommandProtocols: Readonly<Record<Handshake["transport"], readonly string[]>> = {
  websocket: commandProtocols,
  spdy: ["v4.channel.k8s.io"],
};

/** Connects a command with its client until either ends. */
export function serveCommand(
  { transport }: Handshake,
  upgraded: Upgraded,
  wanted: WantedStreams,
  command: Command,
): Promise<void> {
  return transport === "websocket" ? overWebSocket(upgraded, wanted, command) : overSpdy(upgraded, wanted, command);
}

/** The first byte of a message is its channel. */
async function overWebSocket({ socket, head }: Upgraded, wanted: WantedStreams, command: Command): Promise<void> {
  const gone = new AbortController();
  const stdin = wanted.stdin ? new PassThrough() : undefined;
  // A command that reads slowly holds up its client, not the memory of the server.
  const read = (input: Buffer): void => {
    // A client that has closed stdin may still write to it.
    if (!stdin?.writable || stdin.write(input)) return;
    socket.pause();
    stdin.once("drain", () => socket.resume());
  };
  const sizes = wanted.tty ? new PassThrough() : undefined;
  // Sizes that come faster than they are read are dropped.
  const resize = (size: string): void => {
    if (sizes && !sizes.writableNeedDrain) sizes.write(`${size.trim()}\n`);
  };
  const peer = new WebSocketPeer(socket, head, {
    onMessage(message) {
      if (message[0] === commandChannels.stdin) read(message.subarray(1));
      else if (message[0] === commandChannels.resize) resize(message.toString("utf8", 1));
      else if (message[0] === commandChannels.close && message[1] === commandChannels.stdin) stdin?.end();
    },
    onEnd() {
      gone.abort();
      stdin?.end();
      sizes?.end();
    },
  });
  const channel = (number: number): Writable =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => peer.send(Buffer.concat([Buffer.of(number), chunk]), done),
    });
  const stdout = wanted.stdout ? channel(commandChannels.stdout) : undefined;
  const stderr = wanted.stderr ? channel(commandChannels.stderr) : undefined;
  const end = await command({ stdin, sizes, stdout, stderr, signal: gone.signal });
  await flush([stdout, stderr]);
  peer.send(Buffer.concat([Buffer.of(commandChannels.error), Buffer.from(JSON.stringify(end))]));
  peer.close();
}

/** Time in which a client must open its streams. */
const openingMs = 30_000;

/** Each stream is one of the connection, named by a header. */
async function overSpdy({ socket, head }: Upgraded, wanted: WantedStreams, command: Command): Promise<void> {
  if (head.length > 0) socket.unshift(head);
  const gone = new AbortController();
  const names = ["error", ...(["stdin", "stdout", "stderr"] as const).filter((name) => wanted[name])];
  if (wanted.tty) names.push("resize");
  const streams = new Map<string, Duplex>();
  const complete = new AbortController();
  const session = new SpdySession(socket, ({ headers, data }) => {
    const name = headers.get("streamtype") ?? "";
    if (!names.includes(name)) return;
    streams.set(name, data);
    if (names.every((name) => streams.has(name))) complete.abort();
  });
  const running = session
    .run()
    .catch(() => {})
    .finally(() => gone.abort());
  // Ends with the first of: the end of all streams, the end of the client, the time.
  await wait(openingMs, undefined, { signal: AbortSignal.any([complete.signal, gone.signal]) }).catch(() => {});
  if (complete.signal.aborted) {
    const [stdin, stdout, stderr, sizes] = ["stdin", "stdout", "stderr", "resize"].map((name) => streams.get(name));
    const end = await command({ stdin, stdout, stderr, sizes, signal: gone.signal });
    await flush([stdout, stderr]);
    streams.get("error")?.end(end.status === "Success" ? "" : JSON.stringify(end));
  }
  session.close();
  await running;
}

/** Ends the streams, and waits until the connection has taken all that is still in them, or has ended. */
async function flush(streams: readonly (Writable | undefined)[]): Promise<void> {
  for (const stream of streams) if (stream) await finished(stream.end(), { readable: false }).catch(() => {});
}

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
