import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, forbidden, invalid, notFound } from "../../../apimachinery/field-error.ts";
import { localPathErrors } from "./path-errors.ts";
import { optionalWordErrors } from "./value-errors.ts";

const onlyPrivileged = "Bidirectional mount propagation is available only to privileged containers";
const onlyClaims = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";

/** Returns the errors of a container's mounts. Kubernetes does not name the mount in each of them. */
export function mountErrors(container: Fields, at: string, spec: Fields): FieldError[] {
  const volumeOf = (name: unknown): Fields | undefined =>
    items(spec, "volumes").findLast((each) => each["name"] === name);
  const paths = new Set<unknown>();
  const devices = new Set<unknown>();
  const isPrivileged = childIf(container, "securityContext")?.["privileged"] === true;
  const field = `${at}.volumeMounts`;
  return [
    ...items(container, "volumeMounts").flatMap((mount, index) => {
      const { name, mountPath, subPath, subPathExpr, mountPropagation } = mount;
      const isAgain = paths.has(mountPath);
      paths.add(mountPath);
      return [
        ...(!name || volumeOf(name) ? [] : [notFound(`${field}[${index}].name`, name)]),
        ...(isAgain ? [invalid(`${field}[${index}].mountPath`, mountPath, "must be unique")] : []),
        ...localPathErrors(`${field}.subPath`, textOf(subPath)),
        ...localPathErrors(`${field}.subPathExpr`, textOf(subPathExpr)),
        ...(subPath && subPathExpr
          ? [invalid(`${field}[${index}].subPathExpr`, subPathExpr, "subPathExpr and subPath are mutually exclusive")]
          : []),
        ...(mountPropagation === "Bidirectional" && !isPrivileged
          ? [forbidden(`${field}.mountPropagation`, onlyPrivileged)]
          : []),
        ...recursionErrors(mount, `${field}.recursiveReadOnly`),
      ];
    }),
    ...items(container, "volumeDevices").flatMap(({ name, devicePath }, index) => {
      const isAgain = { name: devices.has(name), devicePath: devices.has(devicePath) };
      devices.add(name).add(devicePath);
      const volume = volumeOf(name);
      const isBlock = volume?.["persistentVolumeClaim"] ?? volume?.["ephemeral"];
      const field = `${at}.volumeDevices[${index}]`;
      return [
        ...(!name || volume ? [] : [notFound(`${field}.name`, name)]),
        ...(volume && !isBlock ? [invalid(`${field}.name`, name, onlyClaims)] : []),
        ...Object.entries({ name, devicePath })
          .filter(([part]) => isAgain[part as "name"])
          .map(([part, value]) => invalid(`${field}.${part}`, value, "must be unique")),
        ...(textOf(devicePath).split("/").includes("..")
          ? [invalid(`${field}.devicePath`, devicePath, "can not contain backsteps ('..')")]
          : []),
      ];
    }),
  ];
}

function recursionErrors({ recursiveReadOnly, readOnly, mountPropagation }: Fields, field: string): FieldError[] {
  if (recursiveReadOnly !== "Enabled" && recursiveReadOnly !== "IfPossible")
    return optionalWordErrors(field, recursiveReadOnly, ["Disabled", "Enabled", "IfPossible"]);
  const conditions = {
    "readOnly is true": readOnly === true,
    "mountPropagation is None or not specified": (mountPropagation ?? "None") === "None",
  };
  return Object.entries(conditions)
    .filter(([, isMet]) => !isMet)
    .map(([condition]) => forbidden(field, `may only be specified when ${condition}`));
}
