import { compareQuantities, parseQuantity } from "../../apimachinery/quantity.ts";
import { duplicate, invalid, required, type FieldError } from "../../apimachinery/schema/field-error.ts";
import { childIf, items, type Fields } from "./defaults/fields.ts";
import { dnsLabelErrors, labelsErrors } from "./name-errors.ts";

/** What is wrong with a pod's spec, wherever it stands; what its schema requires is known from there. */
export function podSpecErrors(spec: Fields | undefined, path: string): FieldError[] {
  const volumes = items(spec, "volumes");
  const names = new Set(volumes.map(({ name }) => name));
  const lists = ["containers", "initContainers"] as const;
  return [
    // That the list is missing is known from the schema.
    ...(spec?.["containers"] && items(spec, "containers").length === 0 ? [required(`${path}.containers`)] : []),
    ...duplicates(volumes, `${path}.volumes`),
    ...labelsErrors(`${path}.nodeSelector`, spec?.["nodeSelector"] as Record<string, string> | undefined),
    ...lists.flatMap((list) => [
      ...duplicates(items(spec, list), `${path}.${list}`),
      ...items(spec, list).flatMap((container, index) =>
        containerErrors(container, `${path}.${list}[${index}]`, names),
      ),
    ]),
  ];
}

function containerErrors(container: Fields, at: string, volumes: ReadonlySet<unknown>): FieldError[] {
  const { name, image } = container;
  return [
    ...(typeof name === "string" && name !== "" ? dnsLabelErrors(`${at}.name`, name) : []),
    ...(image ? [] : [required(`${at}.image`)]),
    ...items(container, "ports").flatMap((port, index) => portErrors(port, `${at}.ports[${index}]`)),
    ...items(container, "volumeMounts").flatMap((mount, index) =>
      mountErrors(mount, `${at}.volumeMounts[${index}]`, volumes),
    ),
    ...resourceErrors(childIf(container, "resources"), `${at}.resources`),
  ];
}

function portErrors({ containerPort }: Fields, at: string): FieldError[] {
  const field = `${at}.containerPort`;
  if (!containerPort) return [required(field)];
  if (typeof containerPort !== "number" || (containerPort >= 1 && containerPort <= 65_535)) return [];
  return [invalid(field, containerPort, "must be between 1 and 65535, inclusive")];
}

function mountErrors({ name }: Fields, at: string, volumes: ReadonlySet<unknown>): FieldError[] {
  if (!name || volumes.has(name)) return [];
  return [{ reason: "FieldValueNotFound", field: `${at}.name`, message: `Not found: ${JSON.stringify(name)}` }];
}

/** Amounts are not negative, and nobody is promised more than they may take. */
function resourceErrors(resources: Fields | undefined, at: string): FieldError[] {
  const { limits = {}, requests = {} } = (resources ?? {}) as Record<string, Record<string, string>>;
  const negative = (amounts: Record<string, string>, list: string): FieldError[] =>
    Object.entries(amounts)
      .filter(([, amount]) => amount.startsWith("-"))
      .map(([name, amount]) => invalid(`${at}.${list}[${name}]`, amount, "must be greater than or equal to 0"));
  const excessive = Object.entries(requests)
    .filter(([name, amount]) => isAbove(amount, limits[name]))
    .map(([name, amount]) =>
      invalid(`${at}.requests`, amount, `must be less than or equal to ${name} limit of ${limits[name]}`),
    );
  return [...negative(limits, "limits"), ...negative(requests, "requests"), ...excessive];
}

function isAbove(amount: string, limit: string | undefined): boolean {
  return limit !== undefined && compareQuantities(parseQuantity(amount), parseQuantity(limit)) > 0;
}

/** Names that come again. */
function duplicates(list: readonly Fields[], at: string): FieldError[] {
  const seen = new Set<unknown>();
  return list.flatMap(({ name }, index) => {
    if (name && seen.has(name)) return [duplicate(`${at}[${index}].name`, name)];
    seen.add(name);
    return [];
  });
}
