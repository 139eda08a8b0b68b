import { addressFunctions } from "./addresses.ts";
import { conversions } from "./conversions.ts";
import { formatFunctions } from "./named-formats.ts";
import { listFunctions, optionalFunctions } from "./lists.ts";
import { operators } from "./operators.ts";
import { quantityFunctions } from "./quantities.ts";
import { semverFunctions } from "./semvers.ts";
import { stringFunctions } from "./strings.ts";
import { timeFunctions } from "./timestamps.ts";
import { urlFunctions } from "./urls.ts";
import { declareFunctions, type FunctionTable } from "../values/overload.ts";

let functionTable: FunctionTable | undefined;

/** Returns every function that rules in Kubernetes can call. Created on the first call. */
export function kubernetesFunctions(): FunctionTable {
  functionTable ??= declareFunctions(
    operators,
    conversions,
    stringFunctions,
    listFunctions,
    optionalFunctions,
    timeFunctions,
    quantityFunctions,
    addressFunctions,
    urlFunctions,
    formatFunctions,
    semverFunctions,
  );
  return functionTable;
}
