import type { IncomingMessage } from "node:http";
import { ApiError, failure } from "../../apimachinery/status.ts";

/** As a real server has it. */
const largestBody = 3 * 1024 * 1024;

const none = new Uint8Array();

/** The whole body; refuses one over 3 MiB, and one that breaks off. */
export function readRequestBody(request: IncomingMessage): Uint8Array | Promise<Uint8Array> {
  if (request.method === "GET" || request.method === "HEAD") return none;
  // Listeners instead of the stream's iterator, which takes as long as all of the parsing.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > largestBody) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.once("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once("error", reject);
  });
}

function tooLarge(): ApiError {
  return new ApiError(failure("RequestEntityTooLarge", `Request entity too large: limit is ${largestBody}`));
}
