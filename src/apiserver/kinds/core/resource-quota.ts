import type { BuiltinKind } from "../builtin-kind.ts";
import { mapAt, textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";

/** ResourceQuota. */
export const resourceQuota: BuiltinKind = {
  unconditionalUpdate: true,
  returnsDeleted: true,
  idle: "nothing is counted or refused here",
  printer: printer("Request|Limit|Age", (object, now) => {
    const usage = Object.keys(mapAt(object, "status", "hard")).sort();
    const text = (name: string): string =>
      `${name}: ${textAt(object, "status", "used", name) || "0"}/${textAt(object, "status", "hard", name)}`;
    const isLimit = (name: string): boolean => name.startsWith("limits.");
    const requests = usage.filter((name) => !isLimit(name)).map(text);
    return [requests.join(", "), usage.filter(isLimit).map(text).join(", "), creationAge(object, now)];
  }),
};
