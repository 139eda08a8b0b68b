import { UsageError } from "../../errors/tsop-error.ts";
import type { Io, TextQuestion } from "../io.ts";

/** Returns the kind of a flag, or asks for it on a terminal until `check` accepts the answer. */
export async function askKind(
  io: Pick<Io, "isTTY" | "prompt">,
  kind: string | undefined,
  check: NonNullable<TextQuestion["check"]>,
): Promise<string> {
  if (kind !== undefined) return kind;
  if (!io.isTTY) throw new UsageError("the kind is missing: add --kind <Kind>");
  return io.prompt.input({ message: "Kind, in UpperCamelCase:", flag: "--kind", check });
}
