import { type Fields, items } from "../../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../../apimachinery/meta.ts";
import { type FieldError, invalid } from "../../../../apimachinery/field-error.ts";
import { listAt, textAt } from "../../printing/field-access.ts";
import { addressErrors } from "../../rules/address-errors.ts";
import { haveOtherFamilies } from "../../rules/read-address.ts";

/** Keeps the field of one address, which is older, and the list of addresses the same. If they differ, the older one counts. */
export function nameAddressTwice(status: Fields | undefined): void {
  const [ip, first] = [status?.["podIP"], items(status, "podIPs")[0]?.["ip"]];
  if (!status || ip === first) return;
  if (ip) status["podIPs"] = [{ ip }];
  else status["podIP"] = first;
}

const lists = ["podIPs", "hostIPs"] as const;

/** Checks the addresses in the status of a pod: one, or one of each family. */
export function statusAddressErrors(pod: UnstructuredObject): FieldError[] {
  const [first] = addressesOf(pod, "hostIPs");
  const isOther = first !== undefined && first !== textAt(pod, "status", "hostIP");
  return [
    ...listErrors(pod, "podIPs"),
    ...(isOther ? [invalid("status.hostIPs[0].ip", first, "must be equal to `hostIP`")] : []),
    ...listErrors(pod, "hostIPs"),
  ];
}

function listErrors(pod: UnstructuredObject, list: (typeof lists)[number]): FieldError[] {
  const addresses = addressesOf(pod, list);
  // A real server shows Go's name of the field.
  const shown = addresses.map((ip) => ({ IP: ip }));
  return [
    ...addresses.flatMap((ip, index) => addressErrors(`status.${list}[${index}]`, ip)),
    ...(haveOtherFamilies(addresses)
      ? []
      : [invalid(`status.${list}`, shown, "may specify no more than one IP for each IP family")]),
  ];
}

function addressesOf(pod: UnstructuredObject, list: (typeof lists)[number]): string[] {
  return listAt(pod, "status", list).map((entry) => textAt(entry, "ip"));
}
