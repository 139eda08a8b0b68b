import { invalidError } from "../../../apimachinery/invalid-error.ts";
import { invalid, notSupported, type FieldError } from "../../../apimachinery/field-error.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import { decodeBody } from "../../codec/decode-body.ts";
import { badRequest } from "../../refusals.ts";
import { decodeError } from "../../registry/decode-error.ts";
import type { Call } from "./call.ts";
import { isTrue, parseInteger } from "./query.ts";
import { dryRunErrors } from "./write-options.ts";

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
