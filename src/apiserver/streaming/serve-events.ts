import { WebSocketPeer } from "../../apimachinery/streaming/web-socket.ts";
import type { Upgraded } from "./upgrade.ts";

/** Sends the events of a watch, each in a message of its own, until they end or the client does. */
export async function serveEvents(
  { socket, head }: Upgraded,
  chunks: AsyncIterable<string>,
  isBinary: boolean,
): Promise<void> {
  // What a client of a watch sends is ignored.
  const peer = new WebSocketPeer(socket, head, { onMessage: () => {}, onEnd: () => {} });
  for await (const chunk of chunks)
    for (const event of isBinary ? sizedEvents(chunk) : chunk.split(/(?<=\n)/))
      await new Promise<void>((taken) => peer.send(event, taken));
  peer.close();
}

/** Returns events of which each follows its length, which a message does not need. */
function sizedEvents(chunk: string): Buffer[] {
  const bytes = Buffer.from(chunk, "latin1");
  const events: Buffer[] = [];
  for (let start = 4; start <= bytes.length; start += 4) {
    const end = start + bytes.readUInt32BE(start - 4);
    events.push(bytes.subarray(start, end));
    start = end;
  }
  return events;
}
