import type { ServerRequest } from "../api-server.ts";
import { decodeProtobuf } from "../codec/protobuf/decode-protobuf.ts";
import { ProtobufError } from "../codec/protobuf/wire-reader.ts";

/** Returns the body of a request as text, with protobuf, which Go clients send, as JSON; protobuf that was refused is left out. */
export function requestText({ headers, body }: ServerRequest): string {
  const isProtobuf = headers["content-type"]?.startsWith("application/vnd.kubernetes.protobuf");
  if (!isProtobuf || body.length === 0) return Buffer.from(body).toString("utf8");
  try {
    return JSON.stringify(decodeProtobuf(body));
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    return "";
  }
}
