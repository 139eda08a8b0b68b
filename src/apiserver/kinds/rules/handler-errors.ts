import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, forbidden, invalid, required } from "../../../apimachinery/field-error.ts";
import { portNameErrors, portNumberErrors } from "./name-errors.ts";
import { negativeErrors } from "./value-errors.ts";

const probeHandlers = ["exec", "httpGet", "tcpSocket", "grpc"];
const hookHandlers = ["exec", "httpGet", "tcpSocket", "sleep"];
const probeAmounts = ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"];
const headerText =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation " +
  "is '[-A-Za-z0-9]+')";

/** Returns the errors of a probe. */
export function probeErrors(probe: Fields | undefined, { at, name }: { at: string; name: string }): FieldError[] {
  if (!probe) return [];
  const { successThreshold, terminationGracePeriodSeconds: grace } = probe;
  const onlyOnce = name !== "readinessProbe" && Number(successThreshold ?? 1) !== 1;
  const graceField = `${at}.terminationGracePeriodSeconds`;
  return [
    ...actionErrors(probe, { at, names: probeHandlers }),
    ...negativeErrors(probe, at, probeAmounts),
    ...(onlyOnce ? [invalid(`${at}.successThreshold`, successThreshold, "must be 1")] : []),
    ...(grace !== undefined && Number(grace) <= 0 ? [invalid(graceField, grace, "must be greater than 0")] : []),
    ...(grace !== undefined && name === "readinessProbe"
      ? [invalid(graceField, grace, "must not be set for readinessProbes")]
      : []),
  ];
}

/** Returns the errors of a container's hooks; `graceSeconds` is the time in which its pod has to end. */
export function lifecycleErrors(lifecycle: Fields | undefined, at: string, graceSeconds: number): FieldError[] {
  return ["postStart", "preStop"].flatMap((name) => {
    const hook = childIf(lifecycle, name);
    if (!hook) return [];
    const sleep = childIf(hook, "sleep");
    const seconds = Number(sleep?.["seconds"] ?? 0);
    const text = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
    return [
      ...actionErrors(hook, { at: `${at}.${name}`, names: hookHandlers }),
      ...(sleep && (seconds < 0 || seconds > graceSeconds) ? [invalid(`${at}.${name}.sleep`, seconds, text)] : []),
    ];
  });
}

function actionErrors(action: Fields, { at, names }: { at: string; names: readonly string[] }): FieldError[] {
  const [first, ...others] = names.filter((handler) => childIf(action, handler));
  return [
    ...(first
      ? handlerErrors(childIf(action, first)!, { at: `${at}.${first}`, first })
      : [required(at, "must specify a handler type")]),
    ...others.map((other) => forbidden(`${at}.${other}`, "may not specify more than 1 handler type")),
  ];
}

function handlerErrors(handler: Fields, { at, first }: { at: string; first: string }): FieldError[] {
  const { command, port } = handler;
  if (first === "sleep") return [];
  if (first === "exec") return Array.isArray(command) && command.length > 0 ? [] : [required(`${at}.command`)];
  const headers = items(handler, "httpHeaders").map(({ name }) => textOf(name));
  return [
    ...(typeof port === "string" ? portNameErrors(`${at}.port`, port) : portNumberErrors(`${at}.port`, port ?? 0)),
    ...headers
      .filter((name) => !/^[-A-Za-z0-9]+$/.test(name))
      .map((name) => invalid(`${at}.httpHeaders`, name, headerText)),
  ];
}
