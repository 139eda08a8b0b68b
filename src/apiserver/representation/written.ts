import { emitYaml } from "../../apimachinery/yaml/emit.ts";
import { encodeProtobuf } from "../codec/protobuf/encode-protobuf.ts";
import type { ServerRequest, ServerResponse } from "../api-server.ts";
import { protobuf, wantedType } from "./negotiate.ts";

const json = "application/json";

/** The answer as the client wants to read it: in YAML, or laid out for people. */
export function written(request: ServerRequest, response: ServerResponse): ServerResponse {
  const { headers, body } = response;
  if (typeof body !== "string" || body === "" || headers["content-type"] !== json) return response;
  const { url } = request;
  if (url.startsWith("/openapi/")) return response;
  const isRefusal = response.status >= 400;
  const type = isRefusal || url.startsWith("/api") ? wantedType(request.headers["accept"], isRefusal) : json;
  if (type === "application/yaml") {
    const text = emitYaml(sorted(JSON.parse(body)));
    return { ...response, headers: { ...headers, "content-type": type }, body: text };
  }
  // Other answers are in protobuf already, or can't be.
  if (type === protobuf && isRefusal) {
    const bytes = encodeProtobuf(JSON.parse(body));
    return { ...response, headers: { ...headers, "content-type": type }, body: bytes, binary: true };
  }
  return isForPeople(request) ? { ...response, body: JSON.stringify(JSON.parse(body), null, 2) } : response;
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, child]) => [name, sorted(child)]));
}

const browsers = /^(?:curl|Wget|Mozilla\/5\.0)/;

/** Who asks for it, and who asks by hand and does not say otherwise. */
function isForPeople({ url, headers }: ServerRequest): boolean {
  const at = url.indexOf("?");
  const pretty = at < 0 || !url.includes("pretty", at) ? null : new URLSearchParams(url.slice(at + 1)).get("pretty");
  if (pretty !== null) return trueWords.has(pretty);
  return url.startsWith("/version") || browsers.test(headers["user-agent"] ?? "");
}

const trueWords = new Set(["1", "t", "T", "TRUE", "true", "True"]);
