const escape = "\u001b";
const controls = /(?![\n\t])\p{Cc}/u;
/** Colours, line ends, and what tsop begins a text with that takes the place of the last lines. */
const known = [`${escape}\\[[\\d;]*m`, "\\r\\n", `^\\r${escape}\\[(?:K|\\d+A${escape}\\[J)`];
const each = new RegExp([...known, controls.source].join("|"), "gu");

/** Reports whether a text has control characters, which a terminal obeys. */
export function hasControls(text: string): boolean {
  return controls.test(text);
}

/**
 * Shows control characters as `\x1b`. In the texts of an object, a server or a bundle they could hide lines, write to
 * the clipboard, or make the terminal answer.
 */
export function visibleControls(text: string): string {
  return text.replace(each, (found) =>
    found.length > 1 ? found : `\\x${found.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}
