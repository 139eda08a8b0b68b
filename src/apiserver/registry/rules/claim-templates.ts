import type { FieldError } from "../../../apimachinery/schema/field-error.ts";
import { claimSpecErrors } from "./claim-spec-errors.ts";
import { childIf, items, type Fields } from "../../../apimachinery/fields.ts";

/** What is wrong with the templates for claims in the spec of a StatefulSet. */
export function claimTemplateErrors(spec: Fields): FieldError[] {
  return items(spec, "volumeClaimTemplates").flatMap((claim, index) =>
    claimSpecErrors(childIf(claim, "spec"), `spec.volumeClaimTemplates[${index}].spec`),
  );
}

/** The template of a StatefulSet as its pods will have it: with a volume for each claim, and names that are not their own. */
export function withClaims(spec: Fields): Fields | undefined {
  const template = childIf(spec, "template");
  const pods = childIf(template, "spec");
  if (!pods) return template;
  const { hostname: _hostname, subdomain: _subdomain, ...rest } = pods;
  const claims = items(spec, "volumeClaimTemplates").map((claim) => childIf(claim, "metadata")?.["name"]);
  const volumes = [
    ...claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    ...items(pods, "volumes").filter(({ name }) => !claims.includes(name)),
  ];
  return { ...template, spec: volumes.length ? { ...rest, volumes } : rest };
}
