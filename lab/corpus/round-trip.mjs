// `node lab/corpus/round-trip.mjs FOLDER`: for each CustomResourceDefinition in a folder, at any depth, writes its types,
// compiles them in strict mode, makes the schema of the types again and compares it with the original. It prints how
// many are equal, and the differences by reason; it fails if types do not compile. It fetches nothing.
import { loadTypeScript, root } from "../../test/load-typescript.mjs";

await loadTypeScript(new URL("round-trip.ts", import.meta.url), async ({ roundTrip }, work) => {
  const details = process.argv.includes("--details");
  process.exitCode = await roundTrip({ root, work, folder: process.argv[2], details });
});
