import { type Fields, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, duplicate, invalid, notFound, required } from "../../../apimachinery/field-error.ts";
import { dnsLabelErrors, dnsSubdomainErrors } from "./name-errors.ts";
import { repeatedIndexes } from "./value-errors.ts";

/** Returns the errors of the claims for devices of a pod. The schema reports a missing name. */
export function podClaimErrors(claims: readonly Fields[], at: string): FieldError[] {
  const repeated = repeatedIndexes(claims.map(({ name }) => name || Symbol("none")));
  return claims.flatMap(({ name, resourceClaimName, resourceClaimTemplateName }, index) => {
    const field = `${at}[${index}]`;
    const sources = Object.entries({ resourceClaimName, resourceClaimTemplateName }).filter(
      ([, value]) => value !== undefined,
    );
    const refuse = (why: string): FieldError[] => [
      invalid(
        field,
        {
          Name: textOf(name),
          ResourceClaimName: resourceClaimName ?? null,
          ResourceClaimTemplateName: resourceClaimTemplateName ?? null,
        },
        why,
      ),
    ];
    return [
      ...(repeated.has(index)
        ? [duplicate(`${field}.name`, name)]
        : name
          ? dnsLabelErrors(`${field}.name`, textOf(name))
          : []),
      ...(sources.length > 1
        ? refuse("at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified")
        : []),
      ...(sources.length === 0 ? refuse("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`") : []),
      ...sources.flatMap(([source, value]) => dnsSubdomainErrors(`${field}.${source}`, textOf(value))),
    ];
  });
}

/** Returns the errors of the claims that a container uses; `known` are the pod's. */
export function containerClaimErrors(claims: readonly Fields[], at: string, known: readonly string[]): FieldError[] {
  const used = new Set<string>();
  return claims.flatMap(({ name, request }, index) => {
    const [field, claim] = [`${at}[${index}]`, textOf(name)];
    if (claim === "") return [required(field)];
    const key = request ? `${claim}/${textOf(request)}` : claim;
    // A claim as a whole overlaps with each of its requests.
    const isWhole = used.has(claim);
    const overlaps = isWhole || used.has(key) || (!request && [...used].some((other) => other.startsWith(`${claim}/`)));
    used.add(key);
    return [
      ...(request && !isWhole ? dnsLabelErrors(`${field}.request`, textOf(request)) : []),
      ...(overlaps ? [duplicate(field, isWhole ? claim : key)] : []),
      ...(known.includes(claim) ? [] : [unknownClaim(field, claim, known)]),
    ];
  });
}

function unknownClaim(field: string, claim: string, known: readonly string[]): FieldError {
  const list = known.length === 0 ? " which is empty" : `: ${known.join(", ")}`;
  const error = notFound(field, claim);
  return { ...error, message: `${error.message}: must be one of the names in pod.spec.resourceClaims${list}` };
}
