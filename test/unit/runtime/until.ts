import { patience } from "../../patience.ts";

/** Polls until the condition holds; fails with a description after the deadline. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patience.timeout;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`did not happen within ${patience.timeout} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
