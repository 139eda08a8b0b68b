/** Reports whether a text is a range of semantic versions: `>=1.0.0 <2.0.0 || 3.x`. */
export function isSemverRange(text: string): boolean {
  return text.split("||").every((alternative) => {
    const comparisons = alternative
      .replace(/([<>=!]=?)\s+/g, "$1")
      .trim()
      .split(/\s+/);
    return comparisons.every((comparison) => comparisonPattern.test(comparison));
  });
}

const number = "(0|[1-9]\\d*)";
const version = `${number}\\.${number}\\.${number}(-[\\w.-]+)?(\\+[\\w.-]+)?`;
const comparisonPattern = new RegExp(`^([<>]=?|==?|!=?)?(${version}|${number}\\.x(\\.x)?|${number}\\.${number}\\.x)$`);
