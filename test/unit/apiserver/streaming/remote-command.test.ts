import { duplexPair, type Duplex } from "node:stream";
import { expect, it } from "vitest";
import { commandChannels } from "../../../../src/apimachinery/streaming/command-channels.ts";
import { WebSocketPeer } from "../../../../src/apimachinery/streaming/web-socket.ts";
import { serveCommand } from "../../../../src/apiserver/streaming/remote-command.ts";
import { SpdyClient } from "../../sandbox/containers/upgraded.ts";

/** Reads what comes before the end of the connection. */
const clients = {
  websocket: (socket: Duplex) =>
    new Promise<string>((resolve) => {
      let stdout = "";
      return new WebSocketPeer(socket, Buffer.alloc(0), {
        isClient: true,
        onMessage(message) {
          if (message[0] === commandChannels.stdout) stdout += message.toString("utf8", 1);
        },
        onEnd: () => resolve(stdout),
      });
    }),
  async spdy(socket: Duplex) {
    const client = new SpdyClient(socket);
    await client.open({ streamtype: "error" });
    const id = await client.open({ streamtype: "stdout" });
    return (await client.read()).get(id);
  },
};

it.each(["websocket", "spdy"] as const)(
  "sends all output over %s that a command has left behind",
  async (transport) => {
    const [client, socket] = duplexPair();
    const received = clients[transport](client);
    const wanted = { stdin: false, stdout: true, stderr: false, tty: false };
    const served = serveCommand(
      { transport, protocol: "", headers: {} },
      { socket, head: Buffer.alloc(0) },
      wanted,
      ({ stdout }) => {
        // The connection takes the first one, and the others wait in the stream.
        for (const line of ["one ", "two ", "three"]) stdout!.write(line);
        return Promise.resolve({ status: "Success" });
      },
    );
    expect(await received).toBe("one two three");
    socket.destroy();
    await served;
  },
);
