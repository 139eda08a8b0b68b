const title = "Kubernetes: see /openapi/v3";
const version = "v1.36.3";

/** The form that kubectl asks for, by a name that is no media type; it takes the right one. */
export const protobufType = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

export function wantsProtobuf(accept: string | undefined): boolean {
  return accept?.includes("application/com.github.proto-openapi.spec.v2") ?? false;
}

/**
 * The document of the old version, without definitions: kubectl looks there for a kind that it has not found in version 3,
 * and says that there is none only when it gets an answer.
 */
export function openApiV2(asProtobuf: boolean): string {
  const info = { title, version };
  if (!asProtobuf) return `${JSON.stringify({ swagger: "2.0", info, paths: {}, definitions: {} })}\n`;
  return message(1, "2.0") + message(2, message(1, title) + message(2, version));
}

/** A field of text or of a message, shorter than 128 bytes. */
function message(field: number, content: string): string {
  return String.fromCharCode(field * 8 + 2, content.length) + content;
}
