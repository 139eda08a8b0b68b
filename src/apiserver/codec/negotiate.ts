import { ApiError, failure } from "../../apimachinery/status.ts";

/** How an answer is to be written. */
export interface OutputType {
  readonly mediaType: "application/json" | "application/yaml";
  /** What to turn the object into first; absent for the object itself. */
  readonly as?: "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";
  /** The version of meta.k8s.io that `as` is in. */
  readonly version: "v1" | "v1beta1";
}

const plainJson: OutputType = { mediaType: "application/json", version: "v1" };
const plainTypes = new Set([undefined, "", "*/*", "application/json"]);
const transforms = new Set(["Table", "PartialObjectMetadata", "PartialObjectMetadataList"]);
const offered = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

/** Chooses the first alternative of an Accept header that the server can write; throws 406 when there is none. */
export function negotiate(accept: string | undefined): OutputType {
  if (plainTypes.has(accept)) return plainJson;
  let known = false;
  for (const clause of parseAccept(accept ?? "")) {
    const mediaType = clause.mediaType === "*/*" ? "application/json" : clause.mediaType;
    if (mediaType !== "application/json" && mediaType !== "application/yaml") continue;
    known = true;
    const output = outputType(mediaType, clause.parameters);
    if (output) return output;
  }
  if (known) {
    throw new ApiError(failure("NotAcceptable", `only the following media types are accepted: ${offered}`));
  }
  const message = `406: Not Acceptable\n\nAvailable representations: ${offered}`;
  throw new ApiError(failure("NotAcceptable", message, {}));
}

/** True when the client prefers the aggregated form of `/api` and `/apis` to the plain lists. */
export function wantsAggregatedDiscovery(accept: string | undefined): boolean {
  for (const { mediaType, parameters } of parseAccept(accept ?? "")) {
    if (mediaType === "*/*") return false;
    if (mediaType !== "application/json") continue;
    if (!parameters.has("as")) return false;
    const [as, group, version] = [parameters.get("as"), parameters.get("g"), parameters.get("v")];
    if (as === "APIGroupDiscoveryList" && group === "apidiscovery.k8s.io" && version === "v2") return true;
  }
  return false;
}

interface AcceptClause {
  readonly mediaType: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Alternatives by weight, then named types before wildcards, then as written. */
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
  return clause.mediaType === "*/*";
}

function outputType(
  mediaType: OutputType["mediaType"],
  parameters: ReadonlyMap<string, string>,
): OutputType | undefined {
  const stream = parameters.get("stream");
  if (stream !== undefined && stream !== "watch") return undefined;
  const [as, group, version] = [parameters.get("as"), parameters.get("g"), parameters.get("v")];
  if (as === undefined && group === undefined && version === undefined) return { mediaType, version: "v1" };
  if (group !== "meta.k8s.io" || (version !== "v1" && version !== "v1beta1")) return undefined;
  return isTransform(as) ? { mediaType, as, version } : undefined;
}

function isTransform(as: string | undefined): as is NonNullable<OutputType["as"]> {
  return as !== undefined && transforms.has(as);
}
