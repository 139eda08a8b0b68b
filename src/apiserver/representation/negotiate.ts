import { ApiError, failure } from "../../apimachinery/status.ts";
import type { ServerRequest } from "../api-server.ts";

export const protobuf = "application/vnd.kubernetes.protobuf" as const;

export type MediaType = "application/json" | "application/yaml" | typeof protobuf;

/** The form of a response. */
export interface OutputType {
  readonly mediaType: MediaType;
  /** The type that the object is converted to; absent for the object itself. */
  readonly as?: "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";
}

const plainJson: OutputType = { mediaType: "application/json" };
const plainTypes = new Set([undefined, "", "*/*", "application/json"]);
const transforms = new Set(["Table", "PartialObjectMetadata", "PartialObjectMetadataList"]);
const offered = `application/json, application/yaml, ${protobuf}`;
/** The media types that a real server offers for watches. */
export const streamTypes: string = `application/json;stream=watch, ${protobuf};stream=watch`;

export interface Offer {
  /** False for custom resources, which have no protobuf messages except for their metadata. */
  readonly hasMessages: boolean;
  /** False for what is only created, and never read. */
  readonly hasTables: boolean;
}

/** Chooses the first alternative of an Accept header that the server can write. Throws 406 if it can write none. */
export function negotiate(
  accept: string | undefined,
  { hasMessages, hasTables }: Offer = { hasMessages: true, hasTables: true },
): OutputType {
  if (plainTypes.has(accept)) return plainJson;
  for (const clause of parseAccept(accept ?? "")) {
    const mediaType = isWildcard(clause) ? "application/json" : clause.mediaType;
    const output = isWritten(mediaType) ? outputType(mediaType, clause.parameters) : undefined;
    if (!output || (output.as === "Table" && !hasTables)) continue;
    if (mediaType !== protobuf || canEncode(output, hasMessages)) return output;
  }
  throw notAcceptable(offered);
}

function isWritten(mediaType: string): mediaType is MediaType {
  return mediaType === "application/json" || mediaType === "application/yaml" || mediaType === protobuf;
}

/** Reports whether an output can be encoded as protobuf; tables cannot, as their cells have any type. */
function canEncode({ as }: OutputType, hasMessages: boolean): boolean {
  return as === undefined ? hasMessages : as !== "Table";
}

export function notAcceptable(types: string): ApiError {
  return new ApiError(failure("NotAcceptable", `only the following media types are accepted: ${types}`));
}

/** Chooses the media type of a refusal. Skips alternatives that convert the object, as a refusal has no table. */
export function negotiateRefusal(accept: string | undefined): MediaType {
  if (plainTypes.has(accept)) return "application/json";
  const plain = parseAccept(accept ?? "").filter(({ parameters }) => !parameters.has("as"));
  const first = plain.find((clause) => isWritten(clause.mediaType) || isWildcard(clause))?.mediaType ?? "";
  return isWritten(first) ? first : "application/json";
}

const browsers = /^(?:curl|Wget|Mozilla\/5\.0)/;

/** Reports whether JSON is indented: on request, and for programs that people use by hand. */
export function wantsPretty({ url, headers }: Pick<ServerRequest, "url" | "headers">): boolean {
  const at = url.indexOf("?");
  const pretty = at < 0 || !url.includes("pretty", at) ? null : new URLSearchParams(url.slice(at + 1)).get("pretty");
  if (pretty !== null) return trueWords.has(pretty);
  return url.startsWith("/version") || browsers.test(headers["user-agent"] ?? "");
}

const trueWords = new Set(["1", "t", "T", "TRUE", "true", "True"]);

/** Reports whether the client also accepts the aggregated form of `/api` and `/apis`. */
export function wantsAggregatedDiscovery(accept: string | undefined): boolean {
  return parseAccept(accept ?? "").some(({ mediaType, parameters }) => {
    const [as, group, version] = [parameters.get("as"), parameters.get("g"), parameters.get("v")];
    if (mediaType !== "application/json") return false;
    return as === "APIGroupDiscoveryList" && group === "apidiscovery.k8s.io" && version === "v2";
  });
}

interface AcceptClause {
  readonly mediaType: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Parses the alternatives, ordered by weight, then named types before wildcards, then as written. */
function parseAccept(accept: string): AcceptClause[] {
  return accept
    .split(",")
    .map(parseClause)
    .sort((a, b) => weight(b) - weight(a) || Number(isWildcard(a)) - Number(isWildcard(b)));
}

function parseClause(text: string): AcceptClause {
  const [mediaType = "", ...parameters] = text.split(";").map((part) => part.trim());
  return { mediaType, parameters: new Map(parameters.map(splitParameter)) };
}

function splitParameter(text: string): [name: string, value: string] {
  const equals = text.indexOf("=");
  return equals < 0 ? [text, ""] : [text.slice(0, equals), text.slice(equals + 1)];
}

function weight(clause: AcceptClause): number {
  const given = Number(clause.parameters.get("q") ?? 1);
  return Number.isNaN(given) ? 1 : given;
}

function isWildcard(clause: AcceptClause): boolean {
  return clause.mediaType === "*/*" || clause.mediaType === "application/*";
}

function outputType(mediaType: MediaType, parameters: ReadonlyMap<string, string>): OutputType | undefined {
  const stream = parameters.get("stream");
  if (stream !== undefined && stream !== "watch") return undefined;
  const [as, group, version] = [parameters.get("as"), parameters.get("g"), parameters.get("v")];
  if (as === undefined && group === undefined && version === undefined) return { mediaType };
  return group === "meta.k8s.io" && version === "v1" && isTransform(as) ? { mediaType, as } : undefined;
}

function isTransform(as: string | undefined): as is NonNullable<OutputType["as"]> {
  return as !== undefined && transforms.has(as);
}
