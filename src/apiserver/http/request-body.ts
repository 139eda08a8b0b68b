import type { IncomingMessage } from "node:http";
import { ApiError, failure } from "../../apimachinery/status.ts";

/** As a real server has it. */
const largestBody = 3 * 1024 * 1024;

const none = new Uint8Array();

/** The whole body; refuses one over 3 MiB. */
export async function readRequestBody(request: IncomingMessage): Promise<Uint8Array> {
  if (request.method === "GET" || request.method === "HEAD") return none;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody)
      throw new ApiError(failure("RequestEntityTooLarge", `Request entity too large: limit is ${largestBody}`));
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
