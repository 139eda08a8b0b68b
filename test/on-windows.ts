/** Runs a part of a test under the name of Windows. */
export async function onWindows<T>(work: () => Promise<T> | T): Promise<T> {
  const { platform } = process;
  Object.defineProperty(process, "platform", { value: "win32" });
  try {
    return await work();
  } finally {
    Object.defineProperty(process, "platform", { value: platform });
  }
}
