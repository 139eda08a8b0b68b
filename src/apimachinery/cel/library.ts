import { addressFunctions } from "./functions/addresses.ts";
import { authorizationFunctions } from "./functions/authorization.ts";
import { conversions } from "./functions/conversions.ts";
import { formatFunctions } from "./functions/formats.ts";
import { listFunctions } from "./functions/lists.ts";
import { operators } from "./functions/operators.ts";
import { optionalFunctions } from "./functions/optionals.ts";
import { quantityFunctions } from "./functions/quantities.ts";
import { semverFunctions } from "./functions/semvers.ts";
import { stringFunctions } from "./functions/strings.ts";
import { timeFunctions } from "./functions/time.ts";
import { urlFunctions } from "./functions/urls.ts";
import { declareFunctions, type FunctionTable } from "./overload.ts";

let table: FunctionTable | undefined;
let patchTable: FunctionTable | undefined;

/** Every function that a rule in Kubernetes 1.36 may call. Made on the first call. */
export function kubernetesFunctions(): FunctionTable {
  table ??= declareFunctions(
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
  return table;
}

/** The same with what policies may call that make patches. */
export function patchFunctions(): FunctionTable {
  patchTable ??= new Map([
    ...kubernetesFunctions(),
    ...declareFunctions({
      "jsonpatch.escapeKey(string): string": (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1"),
    }),
  ]);
  return patchTable;
}
