import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const library = new URL("../../dist/index.js", import.meta.url).href;

it("loads no more of Node than it uses, although some of Node's modules export more than they have loaded", async () => {
  const program = `await import(${JSON.stringify(library)}); console.log(process.moduleLoadList.join("\\n"))`;
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { cwd });
  const loaded = stdout.split("\n");
  expect(loaded).toContain("NativeModule http");
  expect(loaded.filter((name) => /undici|worker_threads|webcrypto|parse_args/.test(name))).toEqual([]);
});
