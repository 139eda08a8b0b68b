import { expect, it } from "vitest";
import { ContainerLogs } from "../../../../../src/sandbox/simulation/context/container-logs.ts";

const address = { namespace: "default", pod: "a", container: "main" };
const request = {
  namespace: "default",
  name: "a",
  container: "main",
  follow: false,
  previous: false,
  timestamps: false,
  tailLines: undefined,
  since: undefined,
  limitBytes: undefined,
  signal: new AbortController().signal,
};
const time = "2026-05-01T10:00:00Z";

function filled(): ContainerLogs {
  const logs = new ContainerLogs();
  for (const line of ["one", "two", "three"]) logs.append(address, time, line);
  return logs;
}

async function all(lines: AsyncIterable<string>): Promise<string[]> {
  const read: string[] = [];
  for await (const line of lines) read.push(line);
  return read;
}

it.each([
  ["all", {}, ["one\n", "two\n", "three\n"]],
  ["the last ones", { tailLines: 1 }, ["three\n"]],
  ["their times", { tailLines: 1, timestamps: true }, [`${time} three\n`]],
  ["what is not older than a moment", { since: Date.parse("2026-05-01T10:00:00Z") }, ["one\n", "two\n", "three\n"]],
  ["nothing when all is older", { since: Date.parse("2026-05-01T10:00:01Z") }, []],
  ["no more than so many bytes", { limitBytes: 6 }, ["one\n", "tw"]],
  ["nothing of another container", { container: "other" }, []],
])("shows %s", async (_, options, expected) => {
  expect(await all(filled().read({ ...request, ...options }))).toEqual(expected);
});

it("follows until the container has ended", async () => {
  const logs = filled();
  const lines = logs.read({ ...request, follow: true, tailLines: 0 });
  const first = lines.next();
  logs.append(address, time, "four");
  expect(await first).toEqual({ done: false, value: "four\n" });
  const end = lines.next();
  logs.end(address);
  expect(await end).toMatchObject({ done: true });
});

it.each(["the pod is gone", "the reader has gone"])("stops following when %s", async (why) => {
  const logs = filled();
  const gone = new AbortController();
  const end = logs.read({ ...request, follow: true, tailLines: 0, signal: gone.signal }).next();
  if (why === "the pod is gone") logs.delete("default", "a");
  else gone.abort();
  expect(await end).toMatchObject({ done: true });
});

it("drops the older half of a log that is larger than 10 MiB, also under a reader", async () => {
  const logs = new ContainerLogs();
  const line = "x".repeat(1024 * 1024);
  logs.append(address, time, "first");
  const lines = logs.read({ ...request, follow: true });
  expect((await lines.next()).value).toBe("first\n");
  for (let at = 0; at < 25; at++) logs.append(address, time, `${at} ${line}`);
  logs.end(address);
  const left = await all(lines);
  expect(left.length).toBeLessThan(11);
  expect(left.at(-1)).toMatch(/^24 /);
  expect(left.map((each) => parseInt(each, 10))).toEqual(left.map((_, at) => 25 - left.length + at));
});
