/** The project's licence comment, as `tsop init` puts it there or an author changed it. */
export const boilerplateFile = "hack/boilerplate.ts.txt";

/** What stands above the code of a new file: the project's licence comment, or nothing. */
export function fileHeader(boilerplate: string | undefined): string {
  const text = boilerplate?.trim();
  return text ? `${text}\n\n` : "";
}
