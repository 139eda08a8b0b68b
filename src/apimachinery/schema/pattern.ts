const compiled = new Map<string, RegExp>();
const most = 1000;

/** Whether a text matches a schema's pattern. JavaScript's engine stands in for RE2; leading flags such as `(?i)` are understood. */
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
    // RE2 allows escapes (such as \- or \_) that the unicode mode refuses.
    return new RegExp(source, flags?.[1] ?? "");
  }
}
