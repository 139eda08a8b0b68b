const reserved = new Set(
  (
    "true false null in as break const continue else for function if import let loop package namespace return " +
    "var void while"
  ).split(" "),
);

const replacements: Readonly<Record<string, string>> = {
  __: "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

/** Returns the name of a property in CEL; `undefined` if CEL cannot express it. */
export function escapeName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (part) => replacements[part]!);
}
