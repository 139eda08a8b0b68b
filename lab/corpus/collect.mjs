// `node lab/corpus/collect.mjs FOLDER [WORD…]`: writes the CustomResourceDefinitions and custom resources of the
// projects in sources.txt (with a word in their name) to FOLDER, as one file of JSON lines for each project that has
// none yet. It needs Go and git. CORPUS_GIT may name a folder with git directories, as `owner+name/repo`, that need not
// be cloned.
import { loadTypeScript } from "../../test/load-typescript.mjs";

await loadTypeScript(new URL("collect.ts", import.meta.url), ({ collect }) =>
  collect(process.argv[2], process.argv.slice(3)),
);
