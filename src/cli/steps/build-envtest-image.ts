import { UsageError } from "../../errors/tsop-error.ts";
import { buildEnvtestImage } from "../../image/envtest-image.ts";
import { pushImage } from "../../oci/image/push-image.ts";
import { withDigest } from "../../oci/registry/image-reference.ts";
import type { Io } from "../io.ts";
import { openImageTools, writeOutput, type BuiltImageFlags } from "./write-image.ts";

export interface EnvtestImageFlags extends BuiltImageFlags {
  readonly base: string;
}

/** Builds the image of the embedded server, and writes and pushes what the flags ask for. Prints the digest. */
export async function buildEnvtest(io: Io, flags: EnvtestImageFlags): Promise<void> {
  const { push, output, tag, base } = flags;
  if (push === undefined && output.length === 0)
    throw new UsageError("nothing to do: give --push IMAGE or --output docker:FILE");
  const { outputs, registry, cache, created, tsopVersion } = await openImageTools(io, flags);
  const image = await buildEnvtestImage({ base, created, tsopVersion }, { disk: io.disk, registry, cache });
  for (const each of outputs) await writeOutput(io, each, { image, name: tag ?? push });
  const { digest } = image.root.descriptor;
  if (push === undefined) return io.stdout.write(`${digest}\n`);
  await pushImage(push, image, registry);
  io.stderr.write(`pushed ${push}\n`);
  io.stdout.write(`${withDigest(push, digest)}\n`);
}
