import { invalidError } from "../../../apimachinery/invalid-error.ts";
import type { UnstructuredObject, ObjectMeta } from "../../../apimachinery/meta.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import type { Call } from "../request/call.ts";
import { declaredErrors } from "../../kinds/rules/declared-errors.ts";
import { invalid, type FieldError, forbidden, required } from "../../../apimachinery/field-error.ts";
import { hasRules } from "../../../apimachinery/schema/has-rules.ts";
import type { JsonSchema } from "../../../apimachinery/json-schema.ts";
import { validateValue } from "../../../apimachinery/schema/validate-value.ts";
import { isSubdomain } from "../../../apimachinery/dns-names.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { Strategy } from "../../registry/served-resource.ts";
import {
  dnsLabelErrors,
  dnsSubdomainErrors,
  notSubdomain,
  unqualifiedFinalizerErrors,
} from "../../kinds/rules/name-errors.ts";
import { rbacGroup } from "../../access/authorization.ts";
import { checkCounts } from "./decode-object.ts";
import { embeddedErrors, finalizerErrors, metaTextErrors } from "./meta-errors.ts";
import { checkEscalation } from "../../access/check-escalation.ts";

/**
 * Refuses an object that breaks a rule of its metadata, schema or kind, with all findings at once. Returns a promise
 * only if a check loads code on demand: other writes take a single turn of the event loop.
 */
export function validateObject(
  call: Call,
  object: UnstructuredObject,
  old: UnstructuredObject | undefined,
): Promise<void> | undefined {
  const { strategy, resource } = call.entry;
  checkCounts(call, object);
  const meta = metaErrors(call, object, old);
  const refuse = ([ofSchema, ofKind]: readonly [readonly StatusCause[], readonly StatusCause[]]): undefined => {
    const embedded = resource.custom ? embeddedErrors(resource.schema() ?? {}, object, call.core.builtins) : [];
    const causes = [...meta, ...embedded, ...withoutFieldsOf(ofKind, ofSchema), ...ofKind];
    if (causes.length) throw invalidError(resource, object.metadata.name ?? "", firstCauses(causes));
    const texts = new Set(strategy.warn?.(object, old));
    // A retried update has the same findings again.
    call.warnings.push(...[...texts].filter((text) => !call.warnings.includes(text)));
  };
  const schema = schemaErrors(call, object, { old, before: meta });
  const own = old && isFree(call) ? [] : (strategy.validate?.(object, old, call.subresource) ?? []);
  if (schema instanceof Promise || own instanceof Promise) return Promise.all([schema, own]).then(refuse);
  return refuse([schema, own]);
}

/** Reports whether only the schema restricts what is written: the status of a built-in kind. */
function isFree({ subresource, entry: { resource } }: Call): boolean {
  return subresource === "status" && !resource.custom;
}

/** Words whose list or field a kind reports if they are unknown. */
const wordOfParent = /(?<=\.(strategy|updateStrategy))\.type$|(?<=\.accessModes)\[\d+\]$/;

/** Returns the findings of a schema about fields for which the kind has none. */
function withoutFieldsOf(ofKind: readonly StatusCause[], ofSchema: readonly StatusCause[]): readonly StatusCause[] {
  if (ofKind.length === 0) return ofSchema;
  const fields = new Set(ofKind.map(({ field }) => field));
  return ofSchema.filter(({ field = "" }) => !fields.has(field) && !fields.has(field.replace(wordOfParent, "")));
}

/** The most findings of a refusal, and the most characters before the last: a short list can lead to megabytes. */
const [mostCauses, mostText] = [1_000, 1024 * 1024];

function firstCauses(causes: readonly StatusCause[]): readonly StatusCause[] {
  let text = 0;
  const end = causes.findIndex(({ field = "", message = "" }, at) => {
    const isBeyond = at > 0 && (at >= mostCauses || text > mostText);
    text += field.length + message.length;
    return isBeyond;
  });
  return end < 0 ? causes : causes.slice(0, end);
}

/**
 * Returns the findings of the kind's schema and of the rules in it. Values that an update does not change are
 * ratcheted.
 */
function schemaErrors(
  call: Call,
  object: UnstructuredObject,
  { old, before }: Context,
): readonly FieldError[] | Promise<readonly FieldError[]> {
  const { resource, strategy } = call.entry;
  const schema = resource.schema();
  if (!schema || strategy.ignoresSchema) return [];
  if (!resource.custom) return declaredErrors(schema, object, old);
  return hasRules(schema) ? ruleErrors(schema, call, { object, old, before }) : validateValue(schema, object, { old });
}

interface Context {
  readonly old: UnstructuredObject | undefined;
  /** The findings about its metadata. */
  readonly before: readonly StatusCause[];
}

interface Checked extends Context {
  readonly object: UnstructuredObject;
}

async function ruleErrors(
  schema: JsonSchema,
  call: Call,
  { object, old, before }: Checked,
): Promise<readonly FieldError[]> {
  // CEL is a large library; a server without rules never loads it.
  const [{ validateWithRules }, { prepareRules }] = await Promise.all([
    import("../../../apimachinery/cel/rules/validate-rules.ts"),
    import("../../../apimachinery/cel/rules/rule-tree.ts"),
  ]);
  await prepareRules(schema, true, call.turns);
  const { errors, warnings } = validateWithRules(schema, object, old, before);
  // A retried update has the same findings again.
  const texts = warnings.map(({ field, message }) => `${field}: ${message}`);
  call.warnings.push(...texts.filter((text) => !call.warnings.includes(text)));
  return errors;
}

/** Returns the findings about an object's metadata. */
function metaErrors(call: Call, object: UnstructuredObject, old: UnstructuredObject | undefined): StatusCause[] {
  const { metadata } = object;
  const { strategy, resource } = call.entry;
  const texts = metaTextErrors(metadata, call.core.builtins);
  const finalizers = finalizerErrors(metadata);
  const unqualified = resource.custom || strategy.takesAnyFinalizer ? [] : unqualifiedFinalizers(metadata);
  if (!old) return [...nameErrors(metadata, strategy.nameRule), ...texts, ...finalizers, ...unqualified];
  return [...texts, ...finalizers, ...unqualified, ...changeErrors(metadata, old.metadata)];
}

function nameErrors({ name = "", generateName }: ObjectMeta, rule?: Strategy["nameRule"]): StatusCause[] {
  if (name === "") return [required("metadata.name", "name or generateName is required")];
  if (rule === "path") return /[/%]/.test(name) ? [invalid("metadata.name", name, "may not contain '/'")] : [];
  if (rule === "label") return dnsLabelErrors("metadata.name", name);
  const isBad = generateName !== undefined && !isSubdomain(`${generateName.replace(/[-.]$/, "")}a`);
  return [
    ...(isBad ? [notSubdomain("metadata.generateName", generateName)] : []),
    ...dnsSubdomainErrors("metadata.name", name),
  ];
}

function unqualifiedFinalizers({ finalizers = [] }: ObjectMeta): StatusCause[] {
  return finalizers.flatMap((name, index) => unqualifiedFinalizerErrors(`metadata.finalizers[${index}]`, name));
}

function changeErrors(metadata: ObjectMeta, old: ObjectMeta): StatusCause[] {
  const fixed = ["name", "uid", "deletionTimestamp", "deletionGracePeriodSeconds"] as const;
  const changed = fixed.filter((field) => !equalJson(metadata[field], old[field]));
  const errors = changed.map((field) => invalid(`metadata.${field}`, metadata[field] ?? null, "field is immutable"));
  if (!old.deletionTimestamp) return errors;
  const before = new Set(old.finalizers);
  const added = (metadata.finalizers ?? []).filter((name) => !before.has(name));
  if (added.length === 0) return errors;
  const list = added.toSorted().map((name) => JSON.stringify(name));
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list.join(", ")}}`;
  return [...errors, forbidden("metadata.finalizers", why)];
}

const granting = new Set(["roles", "rolebindings", "clusterroles", "clusterrolebindings"]);

/** Refuses a role or binding that grants more than its writer has, if roles are enforced. */
export function checkGrant(call: Call, object: UnstructuredObject, old: UnstructuredObject | undefined): void {
  const { core, entry, request } = call;
  const { group, plural } = entry.resource;
  if (!core.enforcesRoles || group !== rbacGroup || !granting.has(plural)) return;
  const { store, authorize } = core;
  checkEscalation({ store, authorize, user: request.user, plural, name: call.name, object, old });
}
