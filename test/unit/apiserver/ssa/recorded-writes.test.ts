import { describe, expect, it } from "vitest";
import { builtinSchema } from "../../../../src/apimachinery/builtin/builtin-schema.ts";
import type { ManagedFieldsEntry, UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import { applyDefaults } from "../../../../src/apimachinery/schema/apply-defaults.ts";
import type { JsonSchema } from "../../../../src/apimachinery/json-schema.ts";
import type { ApiError, Status } from "../../../../src/apimachinery/status.ts";
import { applyServerSide } from "../../../../src/apiserver/ssa/apply-server-side.ts";
import { trackUpdate } from "../../../../src/apiserver/ssa/managers.ts";
import { recorded } from "../recorded/recorded.ts";

/** A write to a real server: what was sent, and the object or the refusal that came back. */
interface RecordedWrite {
  verb: "create" | "merge" | "apply";
  manager: string;
  force?: boolean;
  subresource?: string;
  body: UnstructuredObject;
  object?: UnstructuredObject;
  refused?: Status;
}

const { schema, scenarios } = recorded<{ schema: JsonSchema; scenarios: Record<string, RecordedWrite[]> }>("ssa");
const builtinTypes: Record<string, string> = {
  ConfigMap: "io.k8s.api.core.v1.ConfigMap",
  Service: "io.k8s.api.core.v1.Service",
  Pod: "io.k8s.api.core.v1.Pod",
  PodTemplate: "io.k8s.api.core.v1.PodTemplate",
};

describe.each(Object.entries(scenarios))("writes of several managers: %s", (_name, writes) => {
  const steps = writes.map((write, index) => ({
    title: `${index + 1}. ${write.verb} by ${write.manager}`,
    write,
    live: writes.slice(0, index).findLast((earlier) => earlier.object)?.object,
  }));
  it.each(steps)("$title", async ({ write, live }) => {
    if (write.refused) {
      const { message: _, ...promised } = write.refused;
      expect(await refusal(() => written(write, live))).toMatchObject(promised);
      return;
    }
    const ours = await written(write, live);
    const real = write.object!;
    expect(ours.metadata.managedFields).toEqual(real.metadata.managedFields);
    if (write.verb === "apply" && real.kind === "Thing" && !write.subresource)
      expect(ours["spec"]).toEqual(real["spec"]);
  });
});

async function written(write: RecordedWrite, live: UnstructuredObject | undefined): Promise<UnstructuredObject> {
  const { kind = "", apiVersion = "" } = write.object ?? write.body;
  const kindSchema = kind === "Thing" ? schema : builtinSchema(builtinTypes[kind]!)!;
  const { manager, subresource, force = false } = write;
  const common = { schema: kindSchema, manager, apiVersion, subresource, now: newTime(write, live) };
  if (write.verb !== "apply") {
    const after = { ...write.object!, metadata: { ...write.object!.metadata } };
    const sent = sentManagedFields(write, live);
    if (sent) after.metadata.managedFields = sent;
    else delete after.metadata.managedFields;
    const entries = await trackUpdate({ ...common, before: live, after });
    if (entries.length > 0) after.metadata.managedFields = entries;
    else delete after.metadata.managedFields;
    return after;
  }
  const { name, namespace } = write.body.metadata;
  const empty: UnstructuredObject = { apiVersion, kind, metadata: { name: name!, namespace: namespace! } };
  const ignored = subresource ? [["spec"], ["metadata"]] : [["status"]];
  const applied = await applyServerSide({ ...common, live: live ?? empty, applied: write.body, force, ignored });
  if (kind !== "Thing") return applied;
  const defaulted = structuredClone(applied);
  applyDefaults(schema, defaulted);
  return defaulted;
}

/** A merge patch leaves the entries as they are unless it names them. */
function sentManagedFields(
  write: RecordedWrite,
  live: UnstructuredObject | undefined,
): ManagedFieldsEntry[] | undefined {
  const { managedFields } = write.body.metadata ?? {};
  if (managedFields === undefined) return live?.metadata.managedFields;
  return managedFields ?? undefined;
}

/** The time that the write brought; when it brought none, one that would show. */
function newTime({ object }: RecordedWrite, live: UnstructuredObject | undefined): string {
  const old = new Set(live?.metadata.managedFields?.map(({ time }) => time));
  const brought = object?.metadata.managedFields?.find(({ time }) => time !== undefined && !old.has(time));
  return brought?.time ?? "2099-01-01T00:00:00Z";
}

async function refusal(write: () => Promise<unknown>): Promise<unknown> {
  try {
    return await write();
  } catch (error) {
    return (error as ApiError).status;
  }
}
