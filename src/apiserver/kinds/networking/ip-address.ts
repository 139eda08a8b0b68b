import type { BuiltinKind } from "../builtin-kind.ts";
import { textAt, valueAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";

/** IPAddress. */
export const ipAddress: BuiltinKind = {
  unconditionalUpdate: true,
  nameRule: "address",
  // A real server sends the age too, in a cell without a column.
  printer: printer("ParentRef", (object, now) => {
    const parent = valueAt(object, "spec", "parentRef");
    const parts = ["group", "resource", "namespace", "name"].map((field) => textAt(parent, field));
    return [parts.filter((part) => part !== "").join("/"), creationAge(object, now)];
  }),
};
