"use strict";
// What the programs in the folder of `tsop envtest` start. They run for each package of tests, so that they load no more
// than they need.
const { loadTool } = require("./load-tool.js");

const [program, ...args] = process.argv.slice(2);

if (program === "etcd") runEtcd();
else void runApiServer();

async function runApiServer() {
  const load = loadTool(program);
  const io = load("cli/terminal/real-io.js").realIo();
  process.exitCode = await load("cli/commands/envtest-program.js").runEnvtestProgram(args, io);
}

/** Answers the health checks of envtest. The objects are in the memory of kube-apiserver, which asks for nothing. */
function runEtcd() {
  const urls = [...args.join(" ").matchAll(/--?listen-client-urls[= ](\S+)/g)].at(-1)?.[1] ?? "http://localhost:2379";
  for (const url of urls.split(",")) {
    const { protocol, hostname, port } = new URL(url);
    if (protocol !== "http:") fail(`${url}: this etcd only answers health checks, over http`);
    require("node:net")
      .createServer(answer)
      .on("error", ({ message }) => fail(message))
      .listen(Number(port || 80), hostname.replace(/^\[|\]$/g, ""));
  }
}

function answer(socket) {
  socket.on("error", () => socket.destroy());
  socket.once("data", (head) => {
    const [, path = ""] = /^GET (\S+) HTTP\/1/.exec(head.toString("latin1")) ?? [];
    const isHealth = path === "/health";
    if (!isHealth) process.stderr.write("etcd of tsop only answers /health: objects are kept by its kube-apiserver\n");
    const [status, body] = isHealth ? ["200 OK", '{"health":"true","reason":""}'] : ["404 Not Found", ""];
    socket.end(`HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);
  });
}

function fail(message) {
  process.stderr.write(`Error: ${message}\n`);
  process.exit(1);
}
