/** Returns the name of a file's next text, until it takes the place of the file. */
export function newName(path: string): string {
  return `${path}.tsop-new`;
}

/** Returns the name of a file's previous text, until all files of a plan are in place. */
export function oldName(path: string): string {
  return `${path}.tsop-old`;
}
