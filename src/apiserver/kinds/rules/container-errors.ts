import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { compareQuantities, parseQuantity } from "../../../apimachinery/quantity.ts";
import {
  type FieldError,
  duplicate,
  forbidden,
  invalid,
  notFound,
  required,
} from "../../../apimachinery/schema/field-error.ts";
import { dnsLabelErrors, portNameErrors, portNumberErrors } from "./name-errors.ts";
import { envSourceErrors } from "./env-source-errors.ts";
import { containerResourceErrors } from "./resource-name-errors.ts";
import { negativeErrors } from "./value-errors.ts";

/** Returns the errors of a container; `volumes` are the names of its pod's volumes. */
export function containerErrors(container: Fields, at: string, volumes: ReadonlySet<unknown>): FieldError[] {
  const { name, image } = container;
  return [
    ...(typeof name === "string" && name !== "" ? dnsLabelErrors(`${at}.name`, name) : []),
    ...imageErrors(image, `${at}.image`),
    ...portErrors(items(container, "ports"), `${at}.ports`),
    ...items(container, "env").flatMap((variable, index) => variableErrors(variable, `${at}.env[${index}]`)),
    ...mountErrors(items(container, "volumeMounts"), at, volumes),
    ...resourceErrors(childIf(container, "resources"), `${at}.resources`),
    ...["livenessProbe", "readinessProbe", "startupProbe"].flatMap((name) =>
      probeErrors(childIf(container, name), { at: `${at}.${name}`, name }),
    ),
  ];
}

function imageErrors(image: unknown, field: string): FieldError[] {
  if (!image) return [required(field)];
  const text = textOf(image);
  return text === text.trim() ? [] : [invalid(field, text, "must not have leading or trailing whitespace")];
}

function portErrors(ports: readonly Fields[], at: string): FieldError[] {
  const names = new Set<unknown>();
  return ports.flatMap(({ name, containerPort, hostPort }, index) => {
    const field = `${at}[${index}]`;
    const isAgain = name ? names.has(name) : false;
    const named = name ? portNameErrors(`${field}.name`, textOf(name)) : [];
    if (named.length === 0) names.add(name);
    return [
      ...named,
      ...(isAgain ? [duplicate(`${field}.name`, name)] : []),
      ...(containerPort
        ? portNumberErrors(`${field}.containerPort`, containerPort)
        : [required(`${field}.containerPort`)]),
      ...(hostPort ? portNumberErrors(`${field}.hostPort`, hostPort) : []),
    ];
  });
}

const variableText = "a valid environment variable name must consist only of printable ASCII characters other than '='";
const valueSources =
  "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";

function variableErrors(variable: Fields, at: string): FieldError[] {
  const { name, value } = variable;
  const source = childIf(variable, "valueFrom");
  const errors = name && !/^[ -<>-~]+$/.test(textOf(name)) ? [invalid(`${at}.name`, name, variableText)] : [];
  if (!source) return errors;
  if (Object.keys(source).length === 0) return [...errors, invalid(`${at}.valueFrom`, "", valueSources)];
  if (value) errors.push(invalid(`${at}.valueFrom`, "", "may not be specified when `value` is not empty"));
  if (Object.keys(source).length > 1)
    errors.push(invalid(`${at}.valueFrom`, "", "may not have more than one field specified at a time"));
  return [...envSourceErrors(source, `${at}.valueFrom`), ...errors];
}

function mountErrors(mounts: readonly Fields[], at: string, volumes: ReadonlySet<unknown>): FieldError[] {
  const paths = new Set<unknown>();
  return mounts.flatMap(({ name, mountPath, subPath }, index) => {
    const field = `${at}.volumeMounts[${index}]`;
    const isAgain = paths.has(mountPath);
    paths.add(mountPath);
    return [
      ...(!name || volumes.has(name) ? [] : [notFound(`${field}.name`, name)]),
      ...(isAgain ? [invalid(`${field}.mountPath`, mountPath, "must be unique")] : []),
      ...(textOf(subPath ?? "")
        .split("/")
        .includes("..")
        ? [invalid(`${at}.volumeMounts.subPath`, subPath, "must not contain '..'")]
        : []),
    ];
  });
}

/** Reports negative amounts and requests above the limits. */
/** Returns the errors in the resources of a container. */
export function resourceErrors(resources: Fields | undefined, at: string): FieldError[] {
  const { limits = {}, requests = {} } = (resources ?? {}) as Record<string, Record<string, string>>;
  const amountErrors = (amounts: Record<string, string>, list: string): FieldError[] =>
    Object.entries(amounts).flatMap(([name, amount]) => {
      const field = `${at}.${list}[${name}]`;
      return [
        ...containerResourceErrors(field, name),
        ...(amount.startsWith("-") ? [invalid(field, amount, "must be greater than or equal to 0")] : []),
      ];
    });
  const excessive = Object.entries(requests)
    .filter(([name, amount]) => isAbove(amount, limits[name]))
    .map(([name, amount]) =>
      invalid(`${at}.requests`, amount, `must be less than or equal to ${name} limit of ${limits[name]}`),
    );
  return [...amountErrors(limits, "limits"), ...amountErrors(requests, "requests"), ...excessive];
}

function isAbove(amount: string, limit: string | undefined): boolean {
  return limit !== undefined && compareQuantities(parseQuantity(amount), parseQuantity(limit)) > 0;
}

const handlers = ["exec", "httpGet", "tcpSocket", "grpc"] as const;
const probeAmounts = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
  "terminationGracePeriodSeconds",
];

function probeErrors(probe: Fields | undefined, { at, name }: { at: string; name: string }): FieldError[] {
  if (!probe) return [];
  const [first, ...others] = handlers.filter((handler) => childIf(probe, handler));
  const onlyOnce = name !== "readinessProbe" && Number(probe["successThreshold"] ?? 1) !== 1;
  return [
    ...(first ? handlerErrors(childIf(probe, first)!, { at, first }) : [required(at, "must specify a handler type")]),
    ...others.map((other) => forbidden(`${at}.${other}`, "may not specify more than 1 handler type")),
    ...negativeErrors(probe, at, probeAmounts),
    ...(onlyOnce ? [invalid(`${at}.successThreshold`, probe["successThreshold"], "must be 1")] : []),
  ];
}

function handlerErrors(handler: Fields, { at, first }: { at: string; first: string }): FieldError[] {
  const { command, port } = handler;
  if (first === "exec") return Array.isArray(command) && command.length > 0 ? [] : [required(`${at}.exec.command`)];
  const field = `${at}.${first}.port`;
  return typeof port === "string" ? portNameErrors(field, port) : portNumberErrors(field, port);
}
