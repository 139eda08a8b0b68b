import { expect, it } from "vitest";
import { isAlive } from "../../src/files/is-alive.ts";
import { LongRunning, repository, until } from "./shell.ts";

it("ends a process group when this process is killed", async () => {
  const script = "sleep 600 & echo $! is below; wait";
  const program = new LongRunning("bash", ["-c", script], { cwd: repository, group: true });
  const [, below] = await program.prints(/(\d+) is below/);

  program.child.stdio[3]!.destroy(); // as the kernel does for a process that ends

  expect(await program.ended).toBe("SIGTERM");
  await until("the process below has ended", () => !isAlive(Number(below)) || undefined);
});
