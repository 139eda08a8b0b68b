import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, duplicate, invalid, required } from "../../../apimachinery/field-error.ts";
import { dnsLabelErrors, portNameErrors, portNumberErrors } from "./name-errors.ts";
import { envSourceErrors, environmentErrors, variableNameErrors } from "./env-source-errors.ts";
import { lifecycleErrors, probeErrors } from "./handler-errors.ts";
import { mountErrors } from "./mount-errors.ts";
import { resourceErrors } from "./resource-errors.ts";
import { containerSecurityErrors } from "./security-errors.ts";
import { optionalWordErrors, wordErrors } from "./value-errors.ts";

/** The fields of the pod on which the rules of its containers depend. */
export interface OfPod {
  readonly spec: Fields | undefined;
  /** The volumes by name. */
  readonly volumes: ReadonlyMap<unknown, Fields>;
}

/** Returns the errors of a container. */
export function containerErrors(container: Fields, at: string, { spec, volumes }: OfPod): FieldError[] {
  const { name, image, restartPolicy } = container;
  const security = childIf(container, "securityContext");
  const graceSeconds = Number(spec?.["terminationGracePeriodSeconds"] ?? 0);
  return [
    ...(typeof name === "string" && name !== "" ? dnsLabelErrors(`${at}.name`, name) : []),
    ...imageErrors(image, `${at}.image`),
    ...portErrors(items(container, "ports"), `${at}.ports`),
    ...items(container, "env").flatMap((variable, index) => variableErrors(variable, `${at}.env[${index}]`)),
    ...environmentErrors(items(container, "envFrom"), `${at}.envFrom`),
    ...mountErrors(container, at, volumes),
    ...resourceErrors(childIf(container, "resources"), `${at}.resources`),
    ...["livenessProbe", "readinessProbe", "startupProbe"].flatMap((name) =>
      probeErrors(childIf(container, name), { at: `${at}.${name}`, name }),
    ),
    ...lifecycleErrors(childIf(container, "lifecycle"), `${at}.lifecycle`, graceSeconds),
    ...containerSecurityErrors(security, `${at}.securityContext`),
    ...(security?.["procMount"] === "Unmasked" && spec?.["hostUsers"] !== false
      ? [invalid(`${at}.securityContext.procMount`, "Unmasked", "`hostUsers` must be false to use `Unmasked`")]
      : []),
    ...optionalWordErrors(`${at}.restartPolicy`, restartPolicy, ["Always", "Never", "OnFailure"]),
    ...items(container, "resizePolicy").flatMap((policy) => [
      ...wordErrors(`${at}.resizePolicy`, policy["resourceName"], ["cpu", "memory"]),
      ...wordErrors(`${at}.resizePolicy`, policy["restartPolicy"], ["NotRequired", "RestartContainer"]),
    ]),
  ];
}

/** Checks the image of a container. */
export function imageErrors(image: unknown, field: string): FieldError[] {
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

const valueSources =
  "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";

function variableErrors(variable: Fields, at: string): FieldError[] {
  const { name, value } = variable;
  const source = childIf(variable, "valueFrom");
  const errors = variableNameErrors(`${at}.name`, textOf(name));
  if (!source) return errors;
  if (Object.keys(source).length === 0) return [...errors, invalid(`${at}.valueFrom`, "", valueSources)];
  if (value) errors.push(invalid(`${at}.valueFrom`, "", "may not be specified when `value` is not empty"));
  if (Object.keys(source).length > 1)
    errors.push(invalid(`${at}.valueFrom`, "", "may not have more than one field specified at a time"));
  return [...envSourceErrors(source, `${at}.valueFrom`), ...errors];
}
