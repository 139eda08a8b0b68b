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
/** What a real server offers for watches. */
export const streamTypes = "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

export interface Offer {
  /** Built-in resources have routes, which know no `application/*`, and have other words for a refusal. */
  readonly isRouted: boolean;
  /** Collections can be watched, too. */
  readonly streams: boolean;
}

const single: Offer = { isRouted: true, streams: false };

/** Chooses the first alternative of an Accept header that the server can write; throws 406 when there is none. */
export function negotiate(accept: string | undefined, { isRouted, streams }: Offer = single): OutputType {
  if (plainTypes.has(accept)) return plainJson;
  let known = !isRouted;
  for (const clause of parseAccept(accept ?? "")) {
    const isAny = clause.mediaType === "*/*" || (!isRouted && clause.mediaType === "application/*");
    const mediaType = isAny ? "application/json" : clause.mediaType;
    if (mediaType !== "application/json" && mediaType !== "application/yaml") continue;
    known = true;
    const output = outputType(mediaType, clause.parameters);
    if (output) return output;
  }
  if (known) throw notAcceptable(offered);
  const message = `406: Not Acceptable\n\nAvailable representations: ${streams ? `${offered}, ${streamTypes}` : offered}`;
  throw new ApiError(failure("NotAcceptable", message, {}));
}

export function notAcceptable(types: string): ApiError {
  return new ApiError(failure("NotAcceptable", `only the following media types are accepted: ${types}`));
}

/** Whether an answer is to be in YAML; no table is made of a refusal. */
export function wantsYaml(accept: string | undefined, isRefusal: boolean): boolean {
  if (!accept?.includes("yaml")) return false;
  const first = parseAccept(accept).find(
    ({ mediaType, parameters }) => spoken.has(mediaType) && !(isRefusal && parameters.has("as")),
  );
  return first?.mediaType === "application/yaml";
}

const spoken = new Set(["*/*", "application/*", "application/json", "application/yaml"]);

/** True when the client takes the aggregated form of `/api` and `/apis`, whatever else it takes. */
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
