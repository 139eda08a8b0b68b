import { ifParent, type FieldRule, maximum, minimum, must, required, type Rows, text } from "./field-rules.ts";
import { localPathErrors } from "./path-errors.ts";

/** The rules of the id of a user or a group. */
export const identity: readonly FieldRule[] = [minimum(0), maximum(2_147_483_647)];

/** The rules of the profiles of seccomp and AppArmor: one on the node has a path, and the others have none. */
export const profiles: Rows = {
  "(seccompProfile|appArmorProfile).localhostProfile": [
    ifParent(({ type }) => type === "Localhost", required()),
    must((_path, { type }) => type === "Localhost", "can only be set for the type Localhost"),
  ],
  "seccompProfile.localhostProfile": text(localPathErrors),
};
