import { backstepErrors, localPathErrors } from "./name-errors.ts";
import { notFound } from "../../../apimachinery/field-error.ts";
import { type Fields, childIf, items } from "../../../apimachinery/fields.ts";
import { enumOf, type FieldRule, fieldRules, must, type Rows, text, uniqueBy } from "./field-rules.ts";

const volumeOf = (spec: Fields, name: unknown): Fields | undefined =>
  items(spec, "volumes").findLast((each) => each["name"] === name);

const isVolume: FieldRule = (name, at, _mount, spec) => (!name || volumeOf(spec, name) ? [] : [notFound(at, name)]);

/** Rules whose errors do not name the mount; they see its container. */
const unnamed = fieldRules({
  "(subPath|subPathExpr)": text(localPathErrors),
  mountPropagation: must(
    (mode, _mount, container) =>
      mode !== "Bidirectional" || childIf(container, "securityContext")?.["privileged"] === true,
    "Bidirectional is only for privileged containers",
  ),
  recursiveReadOnly: [
    enumOf("Disabled", "Enabled", "IfPossible"),
    must(
      (mode, { readOnly, mountPropagation = "None" }) =>
        mode === "Disabled" || (readOnly === true && mountPropagation === "None"),
      "requires readOnly, and no mountPropagation",
    ),
  ],
});

/** The rules of a container's mounts. */
export const mountRules: Rows = {
  volumeMounts: [
    uniqueBy("mountPath"),
    (mounts, at, container) =>
      Array.isArray(mounts) ? mounts.flatMap((mount: Fields) => unnamed(mount, at, container)) : [],
  ],
  "volumeMounts[]": {
    name: isVolume,
    subPathExpr: must((path, { subPath }) => !path || !subPath, "must not be set together with subPath"),
  },
  volumeDevices: [uniqueBy("name"), uniqueBy("devicePath")],
  "volumeDevices[]": {
    name: [
      isVolume,
      must((name, _device, spec) => {
        const volume = volumeOf(spec, name);
        return !volume || Boolean(volume["persistentVolumeClaim"] ?? volume["ephemeral"]);
      }, "must be a volume of a claim"),
    ],
    devicePath: text(backstepErrors),
  },
};
