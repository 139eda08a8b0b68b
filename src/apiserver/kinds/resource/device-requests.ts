import { type Fields, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, invalid, required } from "../../../apimachinery/field-error.ts";
import { listErrors } from "../rules/list-errors.ts";
import { dnsLabelErrors, dnsSubdomainErrors } from "../rules/name-errors.ts";
import {
  configErrors,
  mostEntries,
  qualifiedNameErrors,
  requestListErrors,
  requestNames,
  selectorErrors,
  tolerationErrors,
} from "./device-errors.ts";

/** Sets the defaults of the requests in the spec of a claim. */
export function defaultRequests(spec: Fields | undefined): void {
  for (const request of items(childIf(spec, "devices"), "requests")) {
    const exactly = childIf(request, "exactly");
    for (const each of [...(exactly ? [exactly] : []), ...items(request, "firstAvailable")]) {
      each["allocationMode"] ||= "ExactCount";
      if (each["allocationMode"] === "ExactCount") fill(each, { count: 1 });
    }
  }
}

/** Returns the errors of the requests in the spec of a claim. */
export function claimSpecErrors(spec: Fields | undefined, at: string): FieldError[] {
  const devices = childIf(spec, "devices");
  const known = requestNames(devices);
  return [
    ...listErrors(items(devices, "requests"), `${at}.devices.requests`, {
      most: mostEntries,
      keyOf: ({ name }) => name,
      itemErrors: requestErrors,
    }),
    ...listErrors(items(devices, "constraints"), `${at}.devices.constraints`, {
      most: mostEntries,
      itemErrors: (constraint, field) => constraintErrors(constraint, field, known),
    }),
    ...listErrors(items(devices, "config"), `${at}.devices.config`, {
      most: mostEntries,
      itemErrors: (config, field) => [...requestListErrors(config, field, known), ...configErrors(config, field)],
    }),
  ];
}

const mostAlternatives = 8;

function requestErrors(request: Fields, at: string): FieldError[] {
  const [exactly, alternatives] = [childIf(request, "exactly"), items(request, "firstAvailable")];
  const one = "exactly one of `exactly` or `firstAvailable` is required";
  return [
    ...dnsLabelErrors(`${at}.name`, textOf(request["name"])),
    ...(exactly || alternatives.length > 0 ? [] : [required(at, one)]),
    ...(exactly && alternatives.length > 0 ? [invalid(at, null, `${one}, but multiple fields are set`)] : []),
    ...(exactly && alternatives.length === 0 ? wishErrors(exactly, `${at}.exactly`) : []),
    ...(exactly
      ? []
      : listErrors(alternatives, `${at}.firstAvailable`, {
          most: mostAlternatives,
          keyOf: ({ name }) => name,
          itemErrors: (each, field) => [
            ...dnsLabelErrors(`${field}.name`, textOf(each["name"])),
            ...wishErrors(each, field),
          ],
        })),
  ];
}

/** Returns the errors in the requested devices. The schema reports a missing class and an unknown mode. */
function wishErrors(wish: Fields, at: string): FieldError[] {
  const { deviceClassName: name, allocationMode: mode, count = 0 } = wish;
  return [
    ...(name ? dnsSubdomainErrors(`${at}.deviceClassName`, textOf(name)) : []),
    ...selectorErrors(wish, at),
    ...(mode === "All" && count !== 0
      ? [invalid(`${at}.count`, count, "must not be specified when allocationMode is 'All'")]
      : []),
    ...(mode === "ExactCount" && Number(count) <= 0
      ? [invalid(`${at}.count`, count, "must be greater than zero")]
      : []),
    ...items(wish, "tolerations").flatMap((toleration, index) =>
      tolerationErrors(toleration, `${at}.tolerations[${index}]`),
    ),
  ];
}

function constraintErrors(constraint: Fields, at: string, known: ReadonlySet<string>): FieldError[] {
  const name = ["matchAttribute", "distinctAttribute"].find((each) => constraint[each] !== undefined);
  // A real server says so if none is.
  const none = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
  return [
    ...requestListErrors(constraint, at, known),
    ...(name ? qualifiedNameErrors(textOf(constraint[name]), `${at}.${name}`, true) : [required(at, none)]),
  ];
}
