import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { invalid, tooLong } from "../../../apimachinery/field-error.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { bytesSize, immutableData, keyErrors, largest, membersIn, sum } from "./config-data.ts";

/** ConfigMap. */
export const configMap: BuiltinKind = {
  validate: (object, old) => [
    ...keyErrors(object),
    ...keyErrors(object, "binaryData"),
    ...sharedKeys(object),
    ...configMapSize(object),
    ...immutableData(object, old, ["data", "binaryData"]),
  ],
  printer: printer(
    "Data|Age",
    (object, now) => [membersIn(object, "data") + membersIn(object, "binaryData"), creationAge(object, now)],
    {
      Data:
        "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values " +
        "with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys " +
        "in the BinaryData field, this is enforced during validation process.",
    },
  ),
};

function configMapSize({ data, binaryData }: UnstructuredObject): StatusCause[] {
  const size = textSize(data) + bytesSize(binaryData);
  return size > largest ? [tooLong("[]", largest)] : [];
}

function textSize(values: unknown): number {
  return sum(values, (text) => Buffer.byteLength(text));
}

function sharedKeys({ data, binaryData }: UnstructuredObject): StatusCause[] {
  const both = Object.keys(data ?? {}).filter((key) => Object.hasOwn(binaryData ?? {}, key));
  return both.map((key) => invalid(`data[${key}]`, key, "duplicate of key present in binaryData"));
}
