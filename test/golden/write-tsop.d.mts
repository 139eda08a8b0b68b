export declare function writeTsop(
  folder: string,
  version: string,
  replacements: readonly (readonly [before: string, after: string])[],
): void;
