import { type Fields, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, forbidden, invalid, required, tooLong } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { desiredSpec, immutable } from "../rules/immutable.ts";
import { listErrors } from "../rules/list-errors.ts";
import {
  dnsLabelErrors,
  dnsSubdomainErrors,
  driverNameErrors,
  labelKeyErrors,
  labelValueErrors,
} from "../rules/name-errors.ts";
import { nodeSelectorErrors } from "../rules/scheduling-errors.ts";
import { wordErrors } from "../rules/value-errors.ts";
import { consumedCounterErrors, sharedCounterErrors } from "./counter-errors.ts";
import { bindingErrors, poolNameErrors, qualifiedNameErrors, taintEffects } from "./device-errors.ts";
import { requestPolicyErrors } from "./request-policy-errors.ts";

/** ResourceSlice: the devices that a driver offers. */
export const resourceSlice: BuiltinKind = {
  unconditionalUpdate: true,
  generationOf: desiredSpec,
  applyDefaults: defaultAmounts,
  prepareCreate: (slice, { now }) => dateTaints(slice, now),
  prepareUpdate: (slice, _old, { now }) => dateTaints(slice, now),
  warn: (slice) => driverWarnings(textOf(childIf(slice, "spec")?.["driver"])),
  validate: (slice, old) => [
    ...sliceErrors(childIf(slice, "spec") ?? {}),
    ...immutable(slice, old, ["spec.driver", "spec.nodeName", "spec.pool.name"]),
  ],
};

function driverWarnings(driver: string): string[] {
  if (driver === driver.toLowerCase()) return [];
  return [`spec.driver: driver names should be lowercase; ${JSON.stringify(driver)} contains uppercase characters`];
}

function dateTaints(slice: Fields, now: () => string): void {
  for (const device of items(childIf(slice, "spec"), "devices"))
    for (const taint of items(device, "taints")) fill(taint, { timeAdded: now() });
}

/** Fills in amounts that are left out, as Go writes them. */
function defaultAmounts(slice: Fields): void {
  const spec = childIf(slice, "spec");
  const devices = items(spec, "devices");
  const counted = [...items(spec, "sharedCounters"), ...devices.flatMap((device) => items(device, "consumesCounters"))];
  const amounts = [...devices.map(({ capacity }) => capacity), ...counted.map(({ counters }) => counters)];
  for (const each of amounts)
    for (const amount of Object.values((each ?? {}) as Record<string, Fields>)) fill(amount, { value: "0" });
}

const mostDevices = 128;
/** The most devices if one of them has taints or shares counters. */
const mostAdvancedDevices = 64;

function sliceErrors(spec: Fields): FieldError[] {
  const devices = items(spec, "devices");
  const isAdvanced = devices.some(
    (device) => items(device, "taints").length + items(device, "consumesCounters").length > 0,
  );
  return [
    // The schema reports a missing one.
    ...(spec["driver"] ? driverNameErrors("spec.driver", textOf(spec["driver"])) : []),
    ...poolErrors(childIf(spec, "pool") ?? {}),
    ...placeErrors(spec, "spec", placeOfSlice),
    ...(Array.isArray(spec["sharedCounters"]) && Array.isArray(spec["devices"])
      ? [invalid("spec", "", "only one of `sharedCounters` or `devices` is allowed")]
      : []),
    ...listErrors(devices, "spec.devices", {
      most: isAdvanced ? mostAdvancedDevices : mostDevices,
      keyOf: ({ name }) => name,
      itemErrors: (device, at) => deviceErrors(device, at, spec["perDeviceNodeSelection"] === true),
    }),
    ...sharedCounterErrors(spec),
  ];
}

function poolErrors({ name, resourceSliceCount: count = 0, generation = 0 }: Fields): FieldError[] {
  return [
    ...(name ? poolNameErrors(name, "spec.pool.name") : []),
    ...(Number(count) > 0 ? [] : [invalid("spec.pool.resourceSliceCount", count, "must be greater than zero")]),
    ...(Number(generation) < 0
      ? [invalid("spec.pool.generation", generation, "must be greater than or equal to zero")]
      : []),
  ];
}

interface PlaceRules {
  readonly names: readonly string[];
  /** Why a place is needed. */
  readonly one: string;
  readonly several: string;
  readonly noName: string;
  readonly hasOneTerm: boolean;
}

const oneOfSlice = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
const placeOfSlice: PlaceRules = {
  names: ["nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection"],
  one: oneOfSlice,
  several: `${oneOfSlice}, but multiple fields are set`,
  noName: "must be either unset or set to a non-empty string",
  hasOneTerm: true,
};
const oneOfDevice =
  "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
const placeOfDevice: PlaceRules = {
  names: ["nodeName", "nodeSelector", "allNodes"],
  one: oneOfDevice,
  several: oneOfDevice,
  noName: "must not be empty",
  hasOneTerm: false,
};

/** Checks that exactly one field tells on which nodes devices are. */
function placeErrors(of: Fields, at: string, { names, one, several, noName, hasOneTerm }: PlaceRules): FieldError[] {
  const { nodeName } = of;
  const nodeSelector = childIf(of, "nodeSelector");
  const terms = nodeSelector?.["nodeSelectorTerms"] as unknown[] | null | undefined;
  const set = names.filter((name) => Boolean(of[name])).map((name) => `\`${name}\``);
  return [
    ...(nodeName ? dnsSubdomainErrors(`${at}.nodeName`, textOf(nodeName)) : []),
    ...(nodeName === "" ? [invalid(`${at}.nodeName`, "", noName)] : []),
    ...(nodeSelector ? nodeSelectorErrors(nodeSelector, `${at}.nodeSelector`) : []),
    ...(hasOneTerm && nodeSelector && terms?.length !== 1
      ? [invalid(`${at}.nodeSelector.nodeSelectorTerms`, terms ?? null, "must have exactly one node selector term")]
      : []),
    ...names
      .filter((name) => of[name] === false)
      .map((name) => invalid(`${at}.${name}`, false, "must be either unset or set to true")),
    ...(set.length === 0 ? [required(at, one)] : []),
    ...(set.length > 1 ? [invalid(at, `{${set.join(", ")}}`, several)] : []),
  ];
}

const mostProperties = 32;

function deviceErrors(device: Fields, at: string, isPlaced: boolean): FieldError[] {
  const attributes = Object.entries((device["attributes"] ?? {}) as Record<string, Fields>);
  const capacity = Object.entries((device["capacity"] ?? {}) as Record<string, Fields>);
  const isShared = device["allowMultipleAllocations"] === true;
  const properties = attributes.length + capacity.length;
  const onlyPlaced =
    "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
  const hasPlace = placeOfDevice.names.some((name) => device[name] !== undefined);
  return [
    ...dnsLabelErrors(`${at}.name`, textOf(device["name"])),
    ...(properties > mostProperties
      ? [invalid(at, properties, `the total number of attributes and capacities must not exceed ${mostProperties}`)]
      : []),
    ...attributes.flatMap(([name, value]) => [
      ...qualifiedNameErrors(name, `${at}.attributes`),
      ...attributeErrors(value, `${at}.attributes[${name}]`),
    ]),
    ...capacity.flatMap(([name, value]) => [
      ...qualifiedNameErrors(name, `${at}.capacity`),
      ...policyErrors(value, `${at}.capacity[${name}].requestPolicy`, isShared),
    ]),
    ...listErrors(items(device, "taints"), `${at}.taints`, { most: 16, itemErrors: taintErrors }),
    ...consumedCounterErrors(device, at),
    ...(isPlaced ? placeErrors(device, at, placeOfDevice) : []),
    ...(hasPlace && !isPlaced ? [invalid(at, null, onlyPlaced)] : []),
    ...bindingErrors(device, at),
  ];
}

function policyErrors(capacity: Fields, at: string, isShared: boolean): FieldError[] {
  const policy = childIf(capacity, "requestPolicy");
  if (!policy) return [];
  if (!isShared) return [forbidden(at, "allowMultipleAllocations must be true")];
  return requestPolicyErrors(policy, at, textOf(capacity["value"]));
}

const version =
  /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;
const longestValue = 64;

function attributeErrors(value: Fields, at: string): FieldError[] {
  const kinds = Object.keys(value);
  const semver = "must be a string compatible with semver.org spec 2.0.0";
  return [
    ...["string", "version"]
      .filter((name) => textOf(value[name]).length > longestValue)
      .map((name) => tooLong(`${at}.${name}`, longestValue)),
    ...(value["version"] === undefined || version.test(textOf(value["version"]))
      ? []
      : [invalid(`${at}.version`, value["version"], semver)]),
    ...(kinds.length === 1
      ? []
      : [invalid(at, kinds.length === 0 ? "" : value, "exactly one value must be specified")]),
  ];
}

function taintErrors({ key, value, effect }: Fields, at: string): FieldError[] {
  return [
    ...labelKeyErrors(`${at}.key`, textOf(key)),
    ...labelValueErrors(`${at}.value`, textOf(value)),
    ...(effect ? wordErrors(`${at}.effect`, effect, taintEffects) : [required(`${at}.effect`)]),
  ];
}
