import { invalid } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { mapAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { fieldRules } from "../rules/field-rules.ts";
import { dataSize, fileNames, immutableData } from "./config-data.ts";

const dataErrors = fieldRules({
  ".": dataSize("[]", { data: "utf8", binaryData: "base64" }),
  "(data|binaryData)": fileNames,
  data: (data, at, { binaryData }) =>
    Object.keys(data ?? {})
      .filter((key) => Object.hasOwn(binaryData ?? {}, key))
      .map((key) => invalid(`${at}[${key}]`, key, "duplicate of key present in binaryData")),
});

/** ConfigMap. */
export const configMap: BuiltinKind = {
  validate: (object, old) => [...dataErrors(object), ...immutableData(object, old, "data", "binaryData")],
  printer: printer(
    "Data|Age",
    (object) => [Object.keys({ ...mapAt(object, "data"), ...mapAt(object, "binaryData") }).length],
    {
      Data:
        "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values " +
        "with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys " +
        "in the BinaryData field, this is enforced during validation process.",
    },
  ),
};
