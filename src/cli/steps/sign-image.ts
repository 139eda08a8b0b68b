import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Attachment } from "../../oci/image/push-image.ts";
import type { Io } from "../io.ts";
import { withTemporaryFolder } from "./run-tsop.ts";

/** A document about an image, and the name that cosign has for its type. */
export interface Document extends Attachment {
  readonly cosignType: string;
}

/**
 * Signs an image and its documents with cosign, which finds its key in its own variables, or asks for an identity. In a
 * workflow, that is the workflow's.
 */
export async function signImage(
  io: Pick<Io, "run" | "signal">,
  image: string,
  documents: readonly Document[],
): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    await runCosign(io, ["sign", "--yes", image]);
    for (const { text, cosignType } of documents) {
      const file = join(folder, `${cosignType}.json`);
      // cosign makes the statement itself.
      const predicate = cosignType === "slsaprovenance1" ? predicateOf(text) : text;
      await writeFile(file, predicate);
      await runCosign(io, ["attest", "--yes", "--type", cosignType, "--predicate", file, image]);
    }
  });
}

async function runCosign({ run, signal }: Pick<Io, "run" | "signal">, args: readonly string[]): Promise<void> {
  const { exitCode } = await run("cosign", args, { output: "show", signal });
  if (signal.aborted) throw new TsopError("TSOP_INTERRUPTED", {});
  const reason = exitCode === 127 ? "it is not installed" : `exit code ${exitCode}`;
  if (exitCode !== 0) throw new TsopError("TSOP_COSIGN", { command: `cosign ${args[0]}`, reason });
}

function predicateOf(statement: string): string {
  return JSON.stringify((JSON.parse(statement) as { predicate: unknown }).predicate);
}
