import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

const timeoutMs = 10_000;

/** Waits until a port accepts connections, for at most ten seconds, and returns whether it does. */
export async function untilListening(
  { host, port }: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!signal.aborted && Date.now() < deadline) {
    if (await accepts(host, port)) return true;
    await wait(20);
  }
  return false;
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const end = (accepted: boolean) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
}
