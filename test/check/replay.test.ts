import { chmodSync, cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { linkPackages, repository, run, temporaryFolder, type Finished } from "../e2e/shell.ts";

const operators = join(repository, "test/check/operators");

/** Makes a folder in which `tsop` is a program, with an operator that has its bug only if ENABLE_WEBHOOKS is false. */
function makeFolder(): string {
  const folder = temporaryFolder("check-replay");
  onTestFinished(() => folder.remove());
  linkPackages(folder.path);
  cpSync(join(operators, "manifests"), join(folder.path, "its manifests"), { recursive: true });
  const program = join(folder.path, "start.sh");
  writeFileSync(
    program,
    `#!/bin/sh
[ "$ENABLE_WEBHOOKS" = false ] && bug="--bug password-renewed-at-start"
exec "${process.execPath}" "${operators}/main.js" $bug "$@"
`,
  );
  chmodSync(program, 0o755);
  const applied = join(folder.path, "its manifests/sample.yaml");
  writeFileSync(join(folder.path, "scenario.yaml"), `steps: [{ name: create, apply: "${applied}" }]`);
  return folder.path;
}

it("prints a command and a test that repeat a finding as they are", async () => {
  const folder = makeFolder();
  const shell = (line: string): Promise<Finished> =>
    run("sh", ["-c", `PATH="$PWD/node_modules/.bin:$PATH"; ${line}`], { cwd: folder });
  const exec = `./start.sh "--zap-log-level=error"`;
  const apply = "--apply 'its manifests/crd.yaml' --apply 'its manifests/before.yaml'";
  const found = await shell(
    `ENABLE_WEBHOOKS=false tsop check --exec '${exec}' ${apply} --jobs 2 --sample 'its manifests/sample.yaml' --scenario scenario.yaml --only restart`,
  );
  const { replay, accept } = readFinding(found);
  expect(accept).toContain("restart: restart-writes ");

  const repeated = await shell(replay);
  expect(readFinding(repeated)).toEqual({ replay, accept });

  const [, keep = "", test = ""] =
    /^To keep this run as a test:\n\n {2}(mkdir .*)\n\n([^]*?\n {2}\}\);\n)/m.exec(repeated.stdout) ?? [];
  expect(await shell(keep)).toMatchObject({ code: 0, stderr: "" });
  writeFileSync(join(folder, "kept.test.ts"), test);
  const tested = await shell("vitest run --reporter=verbose");
  expect(tested.stdout + tested.stderr).toContain(
    "+ 1. restart: After a restart in a settled state, the operator writes /secrets default/sample-auth",
  );
});

function readFinding({ stdout, stderr }: Finished): { replay: string; accept: string } {
  const [, replay, accept] = /^ {3}replay {6}(.*)\n {3}accept {6}(.*)\n/m.exec(stdout) ?? [];
  if (replay === undefined || accept === undefined) throw new Error(`no finding:\n${stdout}${stderr}`);
  return { replay, accept };
}
