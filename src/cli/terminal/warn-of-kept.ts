import type { Io } from "../io.ts";

/** Names the files of an addition that were edited by hand, and that tsop would now write in another way. */
export function warnOfKept({ stderr }: Pick<Io, "stderr">, addition: string, kept: readonly string[]): void {
  const show = `tsop edit --plugins ${addition} --force --dry-run`;
  for (const path of kept)
    stderr.write(`warning: ${path} was edited by hand and stays; to see what would be new: ${show}\n`);
}
