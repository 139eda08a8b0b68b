import { notSupported } from "../../apimachinery/schema/field-error.ts";
import { invalid } from "../refusals.ts";
import type { Call } from "./call.ts";
import { isDryRun } from "./dry-run.ts";

export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** Options come in the body or, without one, as query parameters. */
export function readDeleteOptions(call: Call, body: Readonly<Record<string, unknown>> | undefined): DeleteOptions {
  const options = body ? fromBody(call, body) : fromQuery(call);
  check(options);
  return options;
}

function fromBody(call: Call, body: Readonly<Record<string, unknown>>): DeleteOptions {
  const listed = Array.isArray(body["dryRun"]) ? (body["dryRun"] as string[]) : [];
  if (listed.some((value) => value !== "All")) throw refuse(notSupported("dryRun", listed, ["All"]));
  return { ...(body as Partial<DeleteOptions>), dryRun: listed.length > 0 || isDryRun(call) };
}

function fromQuery(call: Call): DeleteOptions {
  const { query } = call;
  const grace = query.get("gracePeriodSeconds");
  const policy = query.get("propagationPolicy");
  const orphan = query.get("orphanDependents");
  return {
    dryRun: isDryRun(call),
    ...(grace !== null && { gracePeriodSeconds: Number(grace) }),
    ...(policy !== null && { propagationPolicy: policy }),
    ...(orphan !== null && { orphanDependents: orphan === "true" || orphan === "1" }),
  };
}

const policies = ["Foreground", "Background", "Orphan"];

function check({ propagationPolicy, orphanDependents }: DeleteOptions): void {
  if (propagationPolicy === undefined) return;
  const field = "propagationPolicy";
  if (orphanDependents !== undefined)
    throw refuse({
      reason: "FieldValueInvalid",
      message: `Invalid value: "${propagationPolicy}": orphanDependents and deletionPropagation cannot be both set`,
      field,
    });
  if (policies.includes(propagationPolicy)) return;
  const message = `Unsupported value: "${propagationPolicy}": supported values: "Foreground", "Background", "Orphan", "nil"`;
  throw refuse({ reason: "FieldValueNotSupported", message, field });
}

function refuse(cause: { reason: string; message: string; field: string }): Error {
  return invalid({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", [cause]);
}
