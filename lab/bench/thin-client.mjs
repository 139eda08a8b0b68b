// A minimal HTTP client: the driver shares the machine with the server that it measures.
import { connect } from "node:tls";

/**
 * Opens a connection for one request at a time. `send` resolves to the bytes of the body and rejects on statuses from
 * 400.
 */
export async function openConnection({ server, ca, token }) {
  const { hostname, port } = new URL(server);
  const socket = connect({
    host: hostname,
    port: Number(port),
    ca,
    servername: "kubernetes",
    ALPNProtocols: ["http/1.1"],
  });
  socket.setNoDelay(true);
  await new Promise((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
  let answer;
  let received = [];
  socket.on("error", (error) => answer?.reject(error));
  socket.on("close", () => answer?.reject(new Error("the server closed the connection")));
  socket.on("data", (chunk) => {
    if (answer?.onChunk) return answer.onChunk(chunk);
    received.push(chunk);
    const response = parse(received);
    if (!response) return;
    received = [];
    const { resolve, reject } = answer;
    if (response.status < 400) resolve(response.body);
    else reject(new Error(`${response.status}: ${response.body}`));
  });
  const write = (method, path, { body = "", contentType = "application/json" } = {}) => {
    const head = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\naccept: application/json\r\n`;
    const length = Buffer.byteLength(body);
    socket.write(
      length ? `${head}content-type: ${contentType}\r\ncontent-length: ${length}\r\n\r\n${body}` : `${head}\r\n`,
    );
  };
  return {
    send(method, path, options) {
      return new Promise((resolve, reject) => {
        answer = { resolve, reject };
        write(method, path, options);
      });
    },
    /** Calls back with every chunk of an endless response, including its head. */
    stream(path, onChunk) {
      answer = { onChunk, reject: () => {} };
      write("GET", path);
    },
    close: () => socket.destroy(),
  };
}

/** Returns the response that the chunks hold, once it is complete. */
function parse(chunks) {
  const [first] = chunks;
  const end = first.indexOf("\r\n\r\n");
  if (end < 0) throw new Error("the head of an answer came in pieces");
  const head = first.toString("latin1", 0, end);
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  const size = chunks.reduce((total, chunk) => total + chunk.length, -(end + 4));
  if (length !== undefined ? size < Number(length) : !endsChunks(chunks)) return undefined;
  return { status, body: Buffer.concat(chunks).subarray(end + 4) };
}

/** Reports whether a chunked response is complete: its end cannot occur inside JSON text, which escapes line breaks. */
function endsChunks(chunks) {
  const tail = Buffer.concat(chunks.slice(-5).map((chunk) => chunk.subarray(-5)));
  return tail.subarray(-5).toString("latin1") === "0\r\n\r\n";
}
