/** Reports whether a file has code in TypeScript, by its name. */
export function isTypeScript(path: string): boolean {
  return /\.[mc]?ts$/.test(path);
}

/** Reports whether a file of TypeScript has tests, by its name. */
export function isTestFile(path: string): boolean {
  return /\.test\.[mc]?ts$/.test(path);
}

/** Reports whether a file has declarations only, by its name. */
export function isDeclarationFile(path: string): boolean {
  return /\.d\.[mc]?ts$/.test(path);
}
