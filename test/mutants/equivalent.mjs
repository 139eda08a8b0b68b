/** Mutants that change nothing that anybody could notice: the file, the changed line, and why. */
export const equivalent = [];
