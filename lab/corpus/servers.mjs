// `node lab/corpus/servers.mjs FOLDER [--only WORD] [--kinds N] [--each N] [--variants N] [--seed N] [--details FILE]`:
// sends the CustomResourceDefinitions and custom resources of a folder (collect.mjs) to the embedded server and to a
// real one, which KUBEBUILDER_ASSETS names, and compares all answers. FOLDER defaults to TSOP_CORPUS. It prints a
// table; it fails if a difference has no reason in accepted-differences.ts, or if, on a whole run, an entry there no
// longer applies.
import { loadTypeScript } from "../../test/load-typescript.mjs";

await loadTypeScript(new URL("servers.ts", import.meta.url), async ({ compareServers }) => {
  process.exitCode = await compareServers(process.argv.slice(2));
});
