const compiled = new Map<string, RegExp>();
const most = 1000;

/**
 * Reports whether a text matches a schema's pattern. Uses JavaScript's engine instead of RE2; supports leading flags
 * such as `(?i)`.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let expression = compiled.get(pattern);
  if (!expression) {
    expression = compile(pattern);
    if (compiled.size >= most) compiled.clear();
    compiled.set(pattern, expression);
  }
  return expression.test(text);
}

function compile(pattern: string): RegExp {
  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  const source = (flags ? pattern.slice(flags[0].length) : pattern)
    .replaceAll("(?P<", "(?<")
    .replaceAll("\\z", "$")
    .replaceAll("\\A", "^");
  try {
    return new RegExp(source, `${flags?.[1] ?? ""}u`);
  } catch {
    // RE2 allows escapes (such as \- or \_) that the unicode mode rejects.
    return new RegExp(source, flags?.[1] ?? "");
  }
}
