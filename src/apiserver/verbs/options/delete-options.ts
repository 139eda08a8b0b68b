import { invalid as invalidField, notSupported, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import { invalid } from "../../refusals.ts";
import type { Call } from "../call/call.ts";
import { parseInteger } from "./parse-integer.ts";
import { dryRunErrors } from "./write-options.ts";

export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  /** What it owns is left alone, unless a finalizer of the object's already says what becomes of it. */
  readonly orphansUnlessMarked?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** Options come in the body or, only without one, as query parameters. */
export function readDeleteOptions(call: Call, body: Readonly<Record<string, unknown>> | undefined): DeleteOptions {
  const options = body ? fromBody(body) : fromQuery(call);
  check(options);
  return options;
}

function fromBody(body: Readonly<Record<string, unknown>>): DeleteOptions {
  const listed = (body["dryRun"] ?? []) as string[];
  return { ...(body as Partial<DeleteOptions>), dryRun: isDryRun(listed) };
}

function fromQuery(call: Call): DeleteOptions {
  const { query } = call;
  const grace = query.get("gracePeriodSeconds");
  const gracePeriodSeconds = grace === null ? undefined : parseInteger(grace);
  const policy = query.get("propagationPolicy");
  const orphan = query.get("orphanDependents");
  return {
    dryRun: isDryRun(query.getAll("dryRun")),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(policy !== null && { propagationPolicy: policy }),
    ...(orphan !== null && { orphanDependents: orphan === "true" || orphan === "1" }),
  };
}

function isDryRun(values: readonly string[]): boolean {
  for (const cause of dryRunErrors(values)) throw refuse(cause);
  return values.length > 0;
}

const policies = ["Foreground", "Background", "Orphan"];

function check({ propagationPolicy, orphanDependents }: DeleteOptions): void {
  if (propagationPolicy === undefined) return;
  const field = "propagationPolicy";
  if (orphanDependents !== undefined)
    throw refuse(invalidField(field, propagationPolicy, "orphanDependents and deletionPropagation cannot be both set"));
  if (!policies.includes(propagationPolicy)) throw refuse(notSupported(field, propagationPolicy, [...policies, "nil"]));
}

function refuse(cause: FieldError): Error {
  return invalid({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", [cause]);
}
