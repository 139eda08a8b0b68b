import { addressFunctions } from "./addresses.ts";
import { authorizationFunctions } from "./authz.ts";
import { conversions } from "./conversions.ts";
import { formatFunctions } from "./named-formats.ts";
import { listFunctions } from "./lists.ts";
import { operators } from "./operators.ts";
import { optionalFunctions } from "./optionals.ts";
import { quantityFunctions } from "./quantities.ts";
import { semverFunctions } from "./semvers.ts";
import { stringFunctions } from "./strings.ts";
import { timeFunctions } from "./timestamps.ts";
import { urlFunctions } from "./urls.ts";
import { declareFunctions, type FunctionTable } from "../values/overload.ts";

let functionTable: FunctionTable | undefined;
let patchFunctionTable: FunctionTable | undefined;

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
    authorizationFunctions,
  );
  return functionTable;
}

/** Adds the functions that policies with patches can call. */
export function patchFunctions(): FunctionTable {
  patchFunctionTable ??= new Map([
    ...kubernetesFunctions(),
    ...declareFunctions({
      "jsonpatch.escapeKey(string): string": (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1"),
    }),
  ]);
  return patchFunctionTable;
}
