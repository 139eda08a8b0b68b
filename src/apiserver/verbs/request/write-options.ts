import { invalidError } from "../../../apimachinery/invalid-error.ts";
import {
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from "../../../apimachinery/field-error.ts";
import { badRequest } from "../../refusals.ts";
import type { Call } from "./call.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import { decodeBody } from "../../codec/decode-body.ts";
import { decodeError } from "../../registry/decode-error.ts";
import { isTrue, parseInteger } from "./selection.ts";

const longestManager = 128;

/** The options of a create, update, patch or apply, which come as query parameters. */
interface WriteOptions {
  readonly dryRun: boolean;
}

/** Reads the options of a write. Refuses invalid ones, with all findings at once. */
export function readWriteOptions(call: Call, isApply = false): WriteOptions {
  const { query } = call;
  const dryRun = query.getAll("dryRun");
  const causes = [
    ...(call.request.method === "PATCH" ? patchErrors(query, isApply) : []),
    ...managerErrors(query.get("fieldManager") ?? ""),
    ...dryRunErrors(dryRun),
    ...fieldValidationErrors(query),
  ];
  if (causes.length) throw invalidError({ group: "meta.k8s.io", kind: optionsKind(call) }, "", causes);
  return { dryRun: dryRun.length > 0 };
}

/** Returns the findings about `dryRun`, whose only value is `All`. */
function dryRunErrors(values: readonly unknown[]): FieldError[] {
  if (values.every((value) => value === "All")) return [];
  return [notSupported("dryRun", values, ["All"])];
}

function patchErrors(query: URLSearchParams, isApply: boolean): FieldError[] {
  if (!isApply) return query.has("force") ? [forbidden("force", "may not be specified for non-apply patch")] : [];
  return query.get("fieldManager") ? [] : [required("fieldManager", "is required for apply patch")];
}

function managerErrors(manager: string): FieldError[] {
  const isLong = Buffer.byteLength(manager) > longestManager;
  const isPrintable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(manager);
  return [
    ...(isLong ? [tooLong("fieldManager", longestManager)] : []),
    ...(isPrintable ? [] : [invalid("fieldManager", manager, "must be of printable characters")]),
  ];
}

type FieldValidation = "Ignore" | "Warn" | "Strict";

const wishes = ["", "Ignore", "Strict", "Warn"];

/** Returns the findings about `fieldValidation`. */
function fieldValidationErrors(query: URLSearchParams): FieldError[] {
  const wish = query.get("fieldValidation") ?? "";
  return wishes.includes(wish) ? [] : [notSupported("fieldValidation", wish, wishes)];
}

/** Returns the client's choice for unknown and duplicate fields. */
export function fieldValidation({ query }: Call): FieldValidation {
  const wish = query.get("fieldValidation");
  return wish === "Ignore" || wish === "Strict" ? wish : "Warn";
}

/**
 * Reports findings such as `unknown field "spec.x"` as the client chose: not, as warnings, or as a refusal, by default
 * of the body.
 */
export function reportFields(
  call: Call,
  object: { kind?: unknown },
  findings: readonly string[],
  refuse: (why: string) => Error = (why) => badBody(call, object, why),
): void {
  if (findings.length === 0) return;
  const wish = fieldValidation(call);
  // A retried patch has the same findings again.
  if (wish === "Warn") call.warnings.push(...findings.filter((finding) => !call.warnings.includes(finding)));
  if (wish !== "Strict") return;
  throw refuse(`strict decoding error: ${findings.join(", ")}`);
}

function badBody(call: Call, object: { kind?: unknown }, why: string): Error {
  const { kind, version } = call.entry.resource;
  const name = typeof object.kind === "string" && object.kind ? object.kind : kind;
  return badRequest(`${name} in version "${version}" cannot be handled as a ${kind}: ${why}`);
}

/** Returns the kind of a request's options, for refusals. */
function optionsKind({ request }: Call): string {
  return kinds[request.method] ?? "DeleteOptions";
}

const kinds: Readonly<Record<string, string>> = { POST: "CreateOptions", PUT: "UpdateOptions", PATCH: "PatchOptions" };

/** What the client of a deletion wants to happen to the dependents. */
interface PropagationWish {
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
}

export interface DeleteOptions extends PropagationWish {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds?: number;
  /** Orphans the dependents, unless a finalizer of the object already decides. */
  readonly orphansUnlessMarked?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** The options as a client sends them. */
type SentOptions = Omit<DeleteOptions, "dryRun"> & { readonly dryRun?: readonly (string | null)[] };

/** Reads the options of a delete from the body or, without one, from the query. Refuses invalid ones. */
export function readDeleteOptions(call: Call): DeleteOptions {
  return withDefault(call, parseDeleteOptions(readBody(call) ?? readQuery(call)));
}

/** Parses the options of a delete. */
export function parseDeleteOptions({ dryRun = [], ...given }: SentOptions): DeleteOptions {
  const causes = [...propagationErrors(given), ...dryRunErrors(dryRun.map((value) => value ?? ""))];
  if (causes.length > 0) throw invalidError({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", causes);
  return { ...given, dryRun: dryRun.length > 0 };
}

/** Sets the default propagation policy: some kinds orphan their dependents. */
function withDefault({ entry, warnings }: Call, options: DeleteOptions): DeleteOptions {
  const isChosen = options.propagationPolicy !== undefined || options.orphanDependents !== undefined;
  if (!entry.strategy.orphansByDefault || isChosen) return options;
  warnings.push(`${entry.resource.plural} leave their pods behind unless propagationPolicy=Background is set`);
  return { ...options, orphansUnlessMarked: true };
}

function readBody(call: Call): SentOptions | undefined {
  const { headers, body } = call.request;
  if (body.length === 0) return undefined;
  const { value } = decodeBody(headers["content-type"], body, { kind: "DeleteOptions", findDuplicates: false });
  checkOptionsType(value);
  const error = decodeError("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions", value);
  if (error !== undefined) throw badRequest(error);
  return withoutNulls(value);
}

/** A null option is absent. */
function withoutNulls(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, option]) => option !== null);
  return Object.fromEntries(given.map(([name, option]) => [name, isObject(option) ? withoutNulls(option) : option]));
}

/** Takes DeleteOptions of any version. */
function checkOptionsType({ kind, apiVersion }: { kind?: string | null; apiVersion?: string | null }): void {
  const version = apiVersion || "meta.k8s.io/v1";
  if (version.split("/").length > 2 || (kind && kind !== "DeleteOptions"))
    throw badRequest(`${kind} in ${version} is not DeleteOptions`);
}

function readQuery({ query }: Call): SentOptions {
  const grace = query.get("gracePeriodSeconds");
  const policy = query.get("propagationPolicy");
  const orphan = query.get("orphanDependents");
  return {
    dryRun: query.getAll("dryRun"),
    ...(grace !== null && { gracePeriodSeconds: parseInteger(grace) }),
    ...(policy !== null && { propagationPolicy: policy }),
    ...(orphan !== null && { orphanDependents: isTrue(orphan) }),
  };
}

const propagationPolicies = ["Foreground", "Background", "Orphan"];

function propagationErrors({ propagationPolicy, orphanDependents }: PropagationWish): FieldError[] {
  if (propagationPolicy === undefined) return [];
  const field = "propagationPolicy";
  const why = "orphanDependents and deletionPropagation cannot be both set";
  return [
    ...(orphanDependents === undefined ? [] : [invalid(field, propagationPolicy, why)]),
    ...(propagationPolicies.includes(propagationPolicy)
      ? []
      : [notSupported(field, propagationPolicy, [...propagationPolicies, "nil"])]),
  ];
}
