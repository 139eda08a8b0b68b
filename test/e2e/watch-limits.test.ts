import { join } from "node:path";
import { expect, it } from "vitest";
import { hasContainers } from "./container.ts";
import { repository, run } from "./shell.ts";

const example = join(repository, "examples/memcached-operator");
const title = hasContainers ? "" : " (skipped: this user may not create namespaces)";

// An editor and a few other programs use up a user's share.
it.skipIf(!hasContainers).each([
  ["programs that watch", "max_inotify_instances", "EMFILE"],
  ["folders that are watched", "max_inotify_watches", "ENOSPC"],
])(`names the limits of the system if there are too many %s${title}`, async (_, limit, reason) => {
  const script = `echo 0 > /proc/sys/user/${limit} && exec "$@"`;
  const command = [process.execPath, join(repository, "bin/tsop.js"), "generate", "manifests", "--watch"];
  const { code, stderr } = await run("unshare", ["-Ur", "sh", "-c", script, "sh", ...command], { cwd: example });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    new RegExp(`^error: the folders of the project can't be watched: ${reason}: .*\\nhint: .*sysctl`),
  );
});
