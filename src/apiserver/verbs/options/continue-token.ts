import { jsonType } from "../../codec/decode-body.ts";
import { parseJson } from "../../codec/parse-json.ts";
import { badRequest } from "../../refusals.ts";

/** Where the next page starts, and which state it shows: clients hand it back as it is. */
export interface ContinueToken {
  /** Negative for whatever state is the newest: the pages before have shown another one. */
  readonly rv: number;
  /** The first key, after a slash. */
  readonly start: string;
}

const format = "meta.k8s.io/v1";

/** A token for the page after `lastKey`. */
export function continueToken(rv: number, lastKey: string): string {
  return Buffer.from(JSON.stringify({ v: format, rv, start: `/${lastKey}\u0000` })).toString("base64url");
}

/** Reads a token that a client has sent; a real server says what is wrong with it in so many words. */
export function parseContinueToken(text: string): ContinueToken {
  const { v, rv, start } = fieldsOf(text);
  if (v !== format) throw invalid(`server does not recognize this encoded version ${v}`);
  if (rv === 0) throw invalid(`incorrect encoded start resourceVersion (version ${format})`);
  if (start === "") throw invalid(`encoded start key empty (version ${format})`);
  const parts = start.replace(/^\//, "").split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) throw invalid(start);
  return { rv, start };
}

interface Fields {
  readonly v: string;
  readonly rv: number;
  readonly start: string;
}

function fieldsOf(text: string): Fields {
  const value = decode(text);
  if (typeof value !== "object" || Array.isArray(value))
    throw invalid(`json: cannot unmarshal ${jsonType(value)} into Go value of type storage.continueToken`);
  const { v = "", rv = 0, start = "" } = (value ?? {}) as Record<string, unknown>;
  return { v: field("v", v, "string"), rv: field("rv", rv, "int64"), start: field("start", start, "string") };
}

function field<T extends "string" | "int64">(
  name: string,
  value: unknown,
  type: T,
): T extends "string" ? string : number;
function field(name: string, value: unknown, type: string): unknown {
  if (typeof value === (type === "string" ? "string" : "number")) return value;
  throw invalid(`json: cannot unmarshal ${jsonType(value)} into Go struct field continueToken.${name} of type ${type}`);
}

function decode(text: string): unknown {
  const wrong = text.search(/[^\w-]/);
  if (wrong >= 0) throw invalid(`illegal base64 data at input byte ${wrong}`);
  try {
    return parseJson(Buffer.from(text, "base64url").toString());
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error));
  }
}

function invalid(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
