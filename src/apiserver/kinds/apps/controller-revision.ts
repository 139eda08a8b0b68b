import type { Fields } from "../../../apimachinery/fields.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import { invalid, required } from "../../../apimachinery/field-error.ts";
import { negativeErrors } from "../rules/value-errors.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt, numberAt, textAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";

/** ControllerRevision. */
export const controllerRevision: BuiltinKind = {
  unconditionalUpdate: true,
  validate(object, old) {
    const changed = old && !equalJson(old["data"], object["data"]);
    return [
      ...(object["data"] === undefined || object["data"] === null ? [required("data", "data is mandatory")] : []),
      ...negativeErrors(object, "", ["revision"]),
      ...(changed ? [invalid("data", object["data"], "field is immutable")] : []),
    ];
  },
  printer: printer("Controller|Revision|Age", (object, now) => [
    controllerText(object),
    numberAt(object, "revision"),
    creationAge(object, now),
  ]),
};

function controllerText(object: Fields): string {
  const owner = listAt(object, "metadata", "ownerReferences").find((reference) => reference["controller"] === true);
  if (!owner) return "<none>";
  const apiVersion = textAt(owner, "apiVersion");
  const group = apiVersion.includes("/") ? `.${apiVersion.slice(0, apiVersion.indexOf("/"))}` : "";
  return `${textAt(owner, "kind").toLowerCase()}${group}/${textAt(owner, "name")}`;
}
