// The bad clusters of the fleet benchmark: ports that refuse, ports that swallow, and proxies that alternate.
import { connect, createServer } from "node:net";

/** Accepts connections and never answers. */
export async function openBlackHole() {
  const server = createServer((socket) => socket.on("error", () => {}).resume());
  return { port: await listen(server), close: () => server.close() };
}

/** Returns a port without a listener. */
export async function closedPort() {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Lets connections to a port pass, swallows them, and breaks them, for some seconds each. */
export async function openFlapping(target, ms) {
  const sockets = new Set();
  const keep = (socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  };
  let state = "pass";
  const server = createServer((socket) => {
    if (state === "break") return socket.destroy();
    keep(socket);
    if (state === "swallow") return socket.resume();
    const upstream = connect(target, "127.0.0.1");
    keep(upstream);
    socket.pipe(upstream).pipe(socket);
    socket.on("close", () => upstream.destroy());
    upstream.on("close", () => socket.destroy());
  });
  const port = await listen(server);
  const turn = () => {
    state = { pass: "swallow", swallow: "break", break: "pass" }[state];
    if (state === "swallow") for (const socket of sockets) socket.unpipe().resume();
    else for (const socket of sockets) socket.destroy();
  };
  const timer = setInterval(turn, ms);
  const close = () => {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port, close };
}

function listen(server) {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
}
