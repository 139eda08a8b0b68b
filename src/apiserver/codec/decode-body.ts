import { isObject } from "../../apimachinery/is-object.ts";
import { ApiError, failure } from "../../apimachinery/status.ts";
import { JsonSyntaxError, bodyText, findDuplicates, hasRepeatedKeys, parseJson } from "./json.ts";
import { decodeProtobuf } from "./protobuf/decode-protobuf.ts";
import { ProtobufError } from "./protobuf/wire-reader.ts";
import type * as YamlReader from "./parse-yaml.ts";

export interface DecodeOptions {
  /** The kind that the URL expects; it is part of the error texts. */
  readonly kind: string;
  /** Requires a second pass over the text: set it only if the client asked for warnings or errors. */
  readonly findDuplicates: boolean;
}

export interface DecodedBody {
  readonly value: Record<string, unknown>;
  /** Findings such as `duplicate field "metadata.name"`. */
  readonly duplicates: readonly string[];
}

/**
 * Decodes the body of a create, an update or a delete. Throws 415 for an unsupported content type, and 400 for a body
 * that is not a JSON object with a textual `kind` and `apiVersion`. JSON `null` is an empty object.
 */
export function decodeBody(contentType: string | undefined, body: Uint8Array, options: DecodeOptions): DecodedBody {
  switch (mediaTypeOf(contentType ?? "")) {
    case "":
    case "application/json":
      return refuseMalformed(options.kind, body, () => decodeJson(bodyText(body), options.findDuplicates));
    case "application/yaml":
      return refuseMalformed(options.kind, body, () => decodeYaml(bodyText(body), options.findDuplicates));
    case "application/vnd.kubernetes.protobuf":
      return refuseMalformed(options.kind, body, () => ({ value: decodeProtobuf(body), duplicates: [] }));
    default:
      throw new ApiError(
        failure(
          "UnsupportedMediaType",
          "the body of the request was in an unknown format - accepted media types include: " +
            "application/json, application/yaml, application/vnd.kubernetes.protobuf",
        ),
      );
  }
}

const wellFormed = /^[^;]*$|^\s*[^;\s]+\s*(?:;\s*[^;=\s]+\s*=[^;]+)*;?\s*$/;

/** Returns the media type without its parameters; "invalid" if one of them has no value. */
function mediaTypeOf(text: string): string {
  return wellFormed.test(text) ? text.split(";", 1)[0]!.trim().toLowerCase() : "invalid";
}

/**
 * The reader of YAML, loaded with the first body of YAML: most bodies are JSON, and loading takes a tenth of a start.
 */
let yamlReader: typeof YamlReader | undefined;

/** Loads the reader of YAML. Must be awaited before a body of YAML is decoded. */
export async function loadYamlReader(): Promise<void> {
  yamlReader ??= await import("./parse-yaml.ts");
}

function reader(): typeof YamlReader {
  if (!yamlReader) throw new Error("a body of YAML is decoded before its reader is loaded");
  return yamlReader;
}

/** Decodes the body of an apply. */
export function decodeApplied(body: Uint8Array, wantsDuplicates: boolean): DecodedBody {
  try {
    return decodeYaml(bodyText(body), wantsDuplicates);
  } catch (error) {
    if (!isSyntaxError(error)) throw error;
    throw new ApiError(failure("BadRequest", `error decoding YAML: ${error.message}`), { cause: error });
  }
}

function decodeYaml(text: string, wantsDuplicates: boolean): DecodedBody {
  const document = reader().parseYaml(text);
  const value = checkTypeMeta(document.value);
  return { value, duplicates: wantsDuplicates ? yamlDuplicates(text, document) : [] };
}

function yamlDuplicates(text: string, document: YamlReader.YamlDocument): readonly string[] {
  if (!document.isJson) return document.duplicates;
  return hasRepeatedKeys(text, document.value) ? findDuplicates(text) : [];
}

function decodeJson(text: string, wantsDuplicates: boolean): DecodedBody {
  const value = checkTypeMeta(parseJson(text));
  return { value, duplicates: wantsDuplicates && hasRepeatedKeys(text, value) ? findDuplicates(text) : [] };
}

/** Checks kind and version before anything else, with the error messages of a real server's parser. */
function checkTypeMeta(value: unknown): Record<string, unknown> {
  if (value === null) return {};
  if (!isObject(value)) throw new JsonSyntaxError(notAnObject(value));
  for (const field of ["apiVersion", "kind"]) {
    const given = value[field] ?? "";
    if (typeof given === "string") continue;
    throw new JsonSyntaxError(
      `json: cannot unmarshal ${jsonType(given)} into Go struct field .${field} of type string`,
    );
  }
  return value;
}

/** Returns the type of a JSON value as Go's parser names it. */
export function jsonType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

/** Returns the error for a value that is not an object, and therefore has no type. */
export function withoutType(value: unknown): string {
  return `couldn't get version/kind; json parse error: ${notAnObject(value)}`;
}

function notAnObject(value: unknown): string {
  return `json: cannot unmarshal ${jsonType(value)} into Go value of type map[string]interface {}`;
}

function refuseMalformed(kind: string, body: Uint8Array, decode: () => DecodedBody): DecodedBody {
  try {
    return decode();
  } catch (error) {
    if (!isSyntaxError(error)) throw error;
    const where = error instanceof JsonSyntaxError ? "couldn't get version/kind; json parse error: " : "";
    const cause = where + error.message;
    // Errors of options do not name an expected type.
    if (kind === "DeleteOptions") throw new ApiError(failure("BadRequest", cause), { cause: error });
    const message = `the object provided is unrecognized (must be of type ${kind}): ${cause} (${summarize(body)})`;
    throw new ApiError(failure("BadRequest", message), { cause: error });
  }
}

function isSyntaxError(error: unknown): error is Error {
  return [JsonSyntaxError, ProtobufError, yamlReader?.YamlSyntaxError].some((type) => type && error instanceof type);
}

/** Returns the start of a body for an error message, which kubectl prints: as text if it looks like JSON, else in hexadecimal. */
function summarize(body: Uint8Array): string {
  if (body.length === 0) return "<empty>";
  const start = Buffer.from(body.subarray(0, 30)).toString(body[0] === 0x7b ? "utf8" : "hex");
  return body.length > 30 ? `${start} ...` : start;
}
