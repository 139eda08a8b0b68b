import type { ServedResource } from "../../registry/served-resource.ts";
import { numberAt } from "../../kinds/printing/field-access.ts";
import { printer, type Printer } from "../../kinds/printing/printer.ts";

const cells: Printer["cells"] = (scale) => [numberAt(scale, "spec", "replicas"), numberAt(scale, "status", "replicas")];

const ofBuiltin = printer("Desired:integer|Available:integer|Age", cells);
const ofCustom = printer("Desired:integer|Available:integer|Age:date", cells);

/** Returns the printer of the Scale of a resource. */
export function scalePrinter({ custom }: ServedResource): Printer {
  return custom ? ofCustom : ofBuiltin;
}
