/** Polls until the condition holds; fails after five seconds and says what did not happen. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`did not happen within 5 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
