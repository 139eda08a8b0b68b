/** The project's licence comment, as `tsop init` writes it or an author changes it. */
export const boilerplateFile = "hack/boilerplate.ts.txt";

/** Returns the text above the code of a new file: the project's licence comment, or nothing. */
export function fileHeader(boilerplate: string | undefined): string {
  const text = boilerplate?.replaceAll("\r\n", "\n").trim();
  return text ? `${text}\n\n` : "";
}
