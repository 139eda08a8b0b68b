/** What an error says; anything may be thrown, and then it is that itself. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
