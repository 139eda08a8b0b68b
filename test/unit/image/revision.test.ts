import { expect, it } from "vitest";
import { readRevision } from "../../../src/image/revision.ts";
import { memoryIo } from "../cli/memory-io.ts";

it.each([
  ["https://github.com/team/op.git", "git+https://github.com/team/op.git"],
  ["https://user:token@git.example.com/team/op", "git+https://git.example.com/team/op"],
  ["git@github.com:team/op.git", "git+ssh://github.com/team/op.git"],
  ["ssh://git@git.example.com:22/op", "git+ssh://git.example.com:22/op"],
  ["/home/someone/op", "git+file:"],
  ["", "git+file:"],
])("names the repository %s without what is private", async (remote, uri) => {
  const answers: Record<string, string> = { "rev-parse --verify HEAD": "abc", "remote get-url origin": remote };
  const host = memoryIo({ run: (_, args) => ({ stdout: `${answers[args.join(" ")] ?? ""}\n` }) });
  const revision = await readRevision(host, { root: "/p", signal: new AbortController().signal });
  expect(revision).toEqual({ uri, commit: "abc", folder: "", isChanged: false });
});
