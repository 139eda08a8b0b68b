import type { ServerRequest, ServerResponse } from "../api-server.ts";
import { decodeProtobuf } from "../codec/protobuf/decode-protobuf.ts";
import { ProtobufError } from "../codec/protobuf/wire-reader.ts";

/** Returns the body of a request as text, with protobuf, which Go clients send, as JSON; protobuf that was refused is left out. */
export function requestText({ headers, body }: ServerRequest): string {
  const isProtobuf = headers["content-type"]?.startsWith("application/vnd.kubernetes.protobuf");
  return isProtobuf && body.length > 0 ? protobufText(body) : Buffer.from(body).toString("utf8");
}

/**
 * Returns the body of a response as text; protobuf, which Go clients ask for, becomes JSON. Returns `undefined` for a
 * watch.
 */
export function responseText({ body, binary }: ServerResponse): string | undefined {
  if (typeof body !== "string") return undefined;
  return binary ? protobufText(Buffer.from(body, "latin1")) : body;
}

function protobufText(bytes: Uint8Array): string {
  try {
    return JSON.stringify(decodeProtobuf(bytes));
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    return "";
  }
}
