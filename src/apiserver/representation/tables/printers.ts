import type { ServedResource } from "../../registry/served-resource.ts";
import { customPrinter } from "./custom-columns.ts";
import { textAt } from "./field-access.ts";
import { printer, type Printer } from "./printer.ts";
import { accessPrinters } from "./printers/access.ts";
import { appsPrinters } from "./printers/apps.ts";
import { batchPrinters } from "./printers/batch.ts";
import { corePrinters } from "./printers/core.ts";
import { networkPrinters } from "./printers/network.ts";
import { podPrinter } from "./printers/pod.ts";
import { policyPrinters } from "./printers/policy.ts";
import { storagePrinters } from "./printers/storage.ts";

const builtIn: Readonly<Record<string, Printer>> = {
  ...appsPrinters,
  ...corePrinters,
  ...networkPrinters,
  ...storagePrinters,
  ...batchPrinters,
  ...accessPrinters,
  ...policyPrinters,
  "/Pod": podPrinter,
};

/** What a kind without a printer of its own shows. */
const plainPrinter: Printer = printer("Created At:date", (object) => [textAt(object, "metadata", "creationTimestamp")]);

/** The printer of a resource; there is one for every kind. */
export function printerOf(resource: Pick<ServedResource, "group" | "kind" | "custom">): Printer {
  if (resource.custom) return customPrinter(resource.custom);
  return builtIn[`${resource.group}/${resource.kind}`] ?? plainPrinter;
}
