import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, forbidden, invalid, required, tooLong, tooMany } from "../../../apimachinery/field-error.ts";
import { interfaceAddressErrors } from "../rules/address-errors.ts";
import { conditionErrors } from "../rules/condition-errors.ts";
import { immutableText } from "../rules/immutable.ts";
import { listErrors } from "../rules/list-errors.ts";
import { dnsLabelErrors } from "../rules/name-errors.ts";
import { nodeSelectorErrors } from "../rules/scheduling-errors.ts";
import { wordErrors } from "../rules/value-errors.ts";
import {
  bindingErrors,
  configErrors,
  mostEntries,
  poolNameErrors,
  rawErrors,
  requestListErrors,
  requestNameErrors,
  requestNames,
  requiredDriverErrors,
  shareErrors,
} from "./device-errors.ts";

const mostConsumers = 256;

/** Returns the errors in the status of a claim: which devices it has, and who uses them. */
export function claimStatusErrors(claim: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const [status, before] = [childIf(claim, "status") ?? {}, childIf(old, "status") ?? {}];
  const allocation = childIf(status, "allocation");
  const known = requestNames(childIf(childIf(claim, "spec"), "devices"));
  const isChanged = before["allocation"] !== undefined && !equalJson(allocation, before["allocation"]);
  return [
    ...listErrors(items(status, "reservedFor"), "status.reservedFor", {
      most: mostConsumers,
      keyOf: ({ uid }) => uid,
      itemErrors: (consumer, field) =>
        ["resource", "name", "uid"].filter((name) => !consumer[name]).map((name) => required(`${field}.${name}`)),
    }),
    ...deviceErrors(status, allocatedIds(claim)),
    ...(items(status, "reservedFor").length > 0 && !allocation
      ? [forbidden("status.reservedFor", "may not be specified when `allocated` is not set")]
      : []),
    ...(allocation && isChanged ? [invalid("status.allocation", allocation, immutableText)] : []),
    ...(allocation && before["allocation"] === undefined ? allocationErrors(allocation, known) : []),
  ];
}

function allocationErrors(allocation: Fields, known: ReadonlySet<string>): FieldError[] {
  const [at, devices] = ["status.allocation", childIf(allocation, "devices")];
  const nodes = childIf(allocation, "nodeSelector");
  return [
    ...listErrors(items(devices, "results"), `${at}.devices.results`, {
      most: mostEntries,
      itemErrors: (result, field) => [
        ...requestNameErrors(textOf(result["request"]), `${field}.request`, known),
        ...deviceNameErrors(result, field),
        ...bindingErrors(result, field),
        ...shareErrors(result, field),
      ],
    }),
    ...listErrors(items(devices, "config"), `${at}.devices.config`, {
      most: 2 * mostEntries,
      itemErrors: (config, field) => [
        ...(config["source"]
          ? wordErrors(`${field}.source`, config["source"], ["FromClaim", "FromClass"])
          : [required(`${field}.source`)]),
        ...requestListErrors(config, field, known),
        ...configErrors(config, field),
      ],
    }),
    ...(nodes ? nodeSelectorErrors(nodes, `${at}.nodeSelector`) : []),
  ];
}

function deviceNameErrors({ driver, pool, device }: Fields, at: string): FieldError[] {
  return [
    ...requiredDriverErrors(driver, `${at}.driver`),
    ...poolNameErrors(pool, `${at}.pool`),
    ...dnsLabelErrors(`${at}.device`, textOf(device)),
  ];
}

/** Returns the identity of a device, in the form that a real server shows. */
function idOf({ driver, pool, device, shareID }: Fields): object {
  return { Driver: textOf(driver), Pool: textOf(pool), Device: textOf(device), ShareID: textOf(shareID) };
}

const mostConditions = 8;

/** Drops the drivers' status of devices that the claim no longer has. */
export function dropFreedDevices(claim: UnstructuredObject, old: UnstructuredObject): void {
  const status = childIf(claim, "status");
  if (!Array.isArray(status?.["devices"])) return;
  const [allocated, before] = [allocatedIds(claim), allocatedIds(old)];
  const isIn = (device: Fields, ids: readonly object[]): boolean => ids.some((id) => equalJson(id, idOf(device)));
  const kept = items(status, "devices").filter((device) => isIn(device, allocated) || !isIn(device, before));
  if (kept.length > 0) status["devices"] = kept;
  else delete status["devices"];
}

function allocatedIds(claim: UnstructuredObject): object[] {
  const allocation = childIf(childIf(claim, "status"), "allocation");
  return items(childIf(allocation, "devices"), "results").map(idOf);
}

/** Checks the drivers' status of the devices of the claim. */
function deviceErrors(status: Fields, allocated: readonly object[]): FieldError[] {
  return listErrors(items(status, "devices"), "status.devices", {
    keyOf: idOf,
    itemErrors: (device, field) => [
      ...deviceNameErrors(device, field),
      ...shareErrors(device, field),
      ...(allocated.some((id) => equalJson(id, idOf(device)))
        ? []
        : [invalid(field, idOf(device), "must be an allocated device in the claim")]),
      ...(items(device, "conditions").length > mostConditions
        ? [tooMany(`${field}.conditions`, items(device, "conditions").length, mostConditions)]
        : []),
      ...conditionErrors(items(device, "conditions"), `${field}.conditions`),
      ...rawErrors(device["data"], `${field}.data`),
      ...networkErrors(childIf(device, "networkData") ?? {}, `${field}.networkData`),
    ],
  });
}

const longest = { interfaceName: 256, hardwareAddress: 128 };
const mostAddresses = 16;

function networkErrors(data: Fields, at: string): FieldError[] {
  return [
    ...Object.entries(longest).flatMap(([name, most]) =>
      Buffer.byteLength(textOf(data[name])) > most ? [tooLong(`${at}.${name}`, most)] : [],
    ),
    ...listErrors((data["ips"] ?? []) as string[], `${at}.ips`, {
      most: mostAddresses,
      keyOf: (address) => address,
      itemErrors: (address, field) => interfaceAddressErrors(field, address),
    }),
  ];
}
