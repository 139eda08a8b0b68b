import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import { equalJson } from "../../../apimachinery/equal.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import { invalid, required as missing } from "../../../apimachinery/field-error.ts";
import { type FieldRule, format, must, required, type Rows } from "./field-rules.ts";
import { selectorRules } from "./label-selector-errors.ts";

const modes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** The rules of the access modes of a volume or a claim. */
export const accessModes: readonly FieldRule[] = [
  required(),
  must((given: string[]) => given.every((mode) => modes.includes(mode)), `must be among ${modes.join(", ")}`),
  must(
    (given: string[]) => !given.includes("ReadWriteOncePod") || new Set(given).size === 1,
    "may not use ReadWriteOncePod with other access modes",
  ),
];

const storageSize: FieldRule = (spec, at) => {
  const size = childIf(childIf(spec as Fields, "resources"), "requests")?.["storage"];
  const field = `${at}.resources[storage]`;
  if (size === undefined) return [missing(field)];
  return parseQuantity(textOf(size)).nanos > 0n ? [] : [invalid(field, size, "must be greater than zero")];
};

/** The rules of the spec of a claim or of a claim template. */
export const claimSpecRules: Rows = {
  ".": [
    storageSize,
    must(({ dataSource, dataSourceRef: ref }: { dataSource?: Fields; dataSourceRef?: Fields }) => {
      return !dataSource || !ref || equalJson(dataSource, ref);
    }, "dataSource must match dataSourceRef"),
  ],
  accessModes,
  "(storageClassName|volumeAttributesClassName)": format("k8s-long-name"),
  selector: selectorRules,
  "(dataSource|dataSourceRef)": {
    ".": must(
      ({ apiGroup, kind }: Fields) => Boolean(apiGroup) || kind === "PersistentVolumeClaim",
      "must be a PersistentVolumeClaim when referencing the default apiGroup",
    ),
    apiGroup: format("k8s-long-name"),
    namespace: format("k8s-short-name"),
  },
};
