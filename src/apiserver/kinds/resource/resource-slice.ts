import { type Fields, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, forbidden, invalid, required, tooLong } from "../../../apimachinery/schema/field-error.ts";
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
import { poolNameErrors, qualifiedNameErrors, taintEffects } from "./device-errors.ts";

/** ResourceSlice: the devices that a driver offers. */
export const resourceSlice: BuiltinKind = {
  unconditionalUpdate: true,
  generationOf: desiredSpec,
  prepareCreate: (slice, { now }) => dateTaints(slice, now),
  prepareUpdate: (slice, _old, { now }) => dateTaints(slice, now),
  validate: (slice, old) => [
    ...sliceErrors(childIf(slice, "spec") ?? {}),
    ...immutable(slice, old, ["spec.driver", "spec.nodeName", "spec.pool.name"]),
  ],
};

function dateTaints(slice: Fields, now: () => string): void {
  for (const device of items(childIf(slice, "spec"), "devices"))
    for (const taint of items(device, "taints")) fill(taint, { timeAdded: now() });
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
    ...placeErrors(spec, "spec", ["nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection"]),
    ...listErrors(devices, "spec.devices", {
      most: isAdvanced ? mostAdvancedDevices : mostDevices,
      keyOf: ({ name }) => name,
      itemErrors: (device, at) => deviceErrors(device, at, spec["perDeviceNodeSelection"] === true),
    }),
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

/** Checks that exactly one field tells on which nodes devices are. */
function placeErrors(spec: Fields, at: string, names: readonly string[]): FieldError[] {
  const { nodeName, nodeSelector } = spec;
  const isSet = (name: string): boolean => Boolean(spec[name]);
  const set = names.filter(isSet).map((name) => `\`${name}\``);
  const one = `exactly one of ${names.map((name) => `\`${name}\``).join(", ")} is required`;
  const terms = childIf(spec, "nodeSelector")?.["nodeSelectorTerms"] as unknown[] | null | undefined;
  return [
    ...(nodeName ? dnsSubdomainErrors(`${at}.nodeName`, textOf(nodeName)) : []),
    ...(nodeName === "" ? [invalid(`${at}.nodeName`, "", "must be either unset or set to a non-empty string")] : []),
    ...(nodeSelector ? nodeSelectorErrors(nodeSelector as Fields, `${at}.nodeSelector`) : []),
    ...(nodeSelector && terms?.length !== 1
      ? [invalid(`${at}.nodeSelector.nodeSelectorTerms`, terms ?? null, "must have exactly one node selector term")]
      : []),
    ...["allNodes", "perDeviceNodeSelection"]
      .filter((name) => spec[name] === false)
      .map((name) => invalid(`${at}.${name}`, false, "must be either unset or set to true")),
    ...(set.length === 0 ? [required(at, one)] : []),
    ...(set.length > 1 ? [invalid(at, `{${set.join(", ")}}`, `${one}, but multiple fields are set`)] : []),
  ];
}

function deviceErrors(device: Fields, at: string, isPlaced: boolean): FieldError[] {
  const attributes = Object.entries((device["attributes"] ?? {}) as Record<string, Fields>);
  const capacity = Object.entries((device["capacity"] ?? {}) as Record<string, Fields>);
  const isShared = device["allowMultipleAllocations"] === true;
  const onlyPlaced =
    "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
  const hasPlace = ["nodeName", "nodeSelector", "allNodes"].some((name) => device[name] !== undefined);
  return [
    ...dnsLabelErrors(`${at}.name`, textOf(device["name"])),
    ...attributes.flatMap(([name, value]) => [
      ...qualifiedNameErrors(name, `${at}.attributes`),
      ...attributeErrors(value, `${at}.attributes[${name}]`),
    ]),
    ...capacity.flatMap(([name, { requestPolicy }]) => [
      ...qualifiedNameErrors(name, `${at}.capacity`),
      ...(requestPolicy && !isShared
        ? [forbidden(`${at}.capacity[${name}].requestPolicy`, "allowMultipleAllocations must be true")]
        : []),
    ]),
    ...listErrors(items(device, "taints"), `${at}.taints`, { most: 16, itemErrors: taintErrors }),
    ...(hasPlace && !isPlaced ? [invalid(at, null, onlyPlaced)] : []),
  ];
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
