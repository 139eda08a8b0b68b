import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Lets a server listen on a free port until the test has finished, and returns the port. */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.on("error", () => undefined));
    socket.once("close", () => sockets.delete(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** Starts a proxy that opens tunnels, or refuses to, and records the servers that were asked for, with the logins. */
export async function startTunnels(refuse = false): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const proxy = createServer().on("connect", ({ url = "", headers }, socket) => {
    asked.push(`${url} ${headers["proxy-authorization"] ?? ""}`.trim());
    if (refuse) return socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const { hostname, port } = new URL(`http://${url}`);
    const upstream = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on("error", () => socket.destroy());
    return socket.on("close", () => upstream.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(proxy)}`, asked };
}
