import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { hostOf } from "./connection-pool.ts";

/** The target, and the time limit in milliseconds. */
export interface SocksTarget {
  readonly host: string;
  readonly port: number;
  readonly timeout: number;
}

const version = 5;
const noLogin = 0;
const withPassword = 2;
/** The reasons of a refusal in RFC 1928, by number. */
const refusals = [
  "",
  "general failure",
  "connection not allowed",
  "network unreachable",
  "host unreachable",
  "connection refused",
  "time to live expired",
  "command not supported",
  "address type not supported",
];

/** Connects to a host and port through a SOCKS5 proxy, which resolves the host itself. */
export async function socks5Tunnel(proxy: URL, { host, port, timeout }: SocksTarget): Promise<Socket> {
  const socket = connect({ host: hostOf(proxy), port: Number(proxy.port || 1080) });
  const late = (): void => void socket.destroy(new Error("it does not respond"));
  socket.setTimeout(timeout, late);
  try {
    await once(socket, "connect");
    const reader = new Reader(socket);
    await greet(socket, reader, proxy);
    socket.write(Buffer.concat([Buffer.from([version, 1, 0]), addressOf(host), Buffer.from([port >> 8, port & 255])]));
    const [, reply, , type] = await reader.take(4);
    if (reply) throw new Error(refusals[reply] ?? `error ${reply}`);
    const length = type === 1 ? 4 : type === 4 ? 16 : (await reader.take(1))[0]!;
    await reader.take(length + 2);
    reader.release();
    return socket.off("timeout", late).setTimeout(0);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function greet(socket: Socket, reader: Reader, { username, password }: URL): Promise<void> {
  const methods = username ? [noLogin, withPassword] : [noLogin];
  socket.write(Buffer.from([version, methods.length, ...methods]));
  const [spoken, method] = await reader.take(2);
  if (spoken !== version) throw new Error("it is not a SOCKS5 proxy");
  if (method === noLogin) return;
  if (method !== withPassword || !username) throw new Error("it accepts none of the supported authentication methods");
  const [name, secret] = [username, password].map((text) => Buffer.from(decodeURIComponent(text)));
  socket.write(Buffer.concat([Buffer.from([1, name!.length]), name!, Buffer.from([secret!.length]), secret!]));
  if ((await reader.take(2))[1] !== 0) throw new Error("it rejects the user name and password");
}

function addressOf(host: string): Buffer {
  if (isIP(host) === 4) return Buffer.from([1, ...host.split(".").map(Number)]);
  // A name, or an IPv6 address, which proxies parse as one.
  const name = Buffer.from(host);
  return Buffer.concat([Buffer.from([3, name.length]), name]);
}

/** Reads the bytes of the handshake one after the other. */
class Reader {
  private readonly socket: Socket;
  private received: Buffer = Buffer.alloc(0);
  private failure: Error | undefined;
  private wake: () => void = () => undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", this.onData);
    socket.once("error", (error) => this.fail(error));
    socket.once("close", () => this.fail(new Error("it closed the connection")));
  }

  async take(length: number): Promise<Buffer> {
    while (this.received.length < length) {
      if (this.failure) throw this.failure;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    const taken = this.received.subarray(0, length);
    this.received = this.received.subarray(length);
    return taken;
  }

  /** Hands the socket over, from the first unread byte. */
  release(): void {
    this.socket.off("data", this.onData).pause();
    this.socket.unshift(this.received);
  }

  private readonly onData = (chunk: Buffer): void => {
    this.received = Buffer.concat([this.received, chunk]);
    this.wake();
  };

  private fail(error: Error): void {
    this.failure ??= error;
    this.wake();
  }
}
