import { expect, it } from "vitest";
import { hasControls, visibleControls } from "../../../src/apimachinery/visible-controls.ts";

it.each([
  ["a title", "\u001b]0;root\u0007", "\\x1b]0;root\\x07"],
  ["the clipboard", "\u001b]52;c;cm0=\u001b\\", "\\x1b]52;c;cm0=\\x1b\\"],
  ["a question to the terminal", "\u001b[6n", "\\x1b[6n"],
  ["a line in place of this one", "configured\r\u001b[Kcreated", "configured\\x0d\\x1b[Kcreated"],
  ["a control character of eight bits", "\u009b2J", "\\x9b2J"],
])("shows %s", (_, text, shown) => {
  expect([hasControls(text), visibleControls(text)]).toEqual([true, shown]);
});

it.each(["ünïcode\tand\nlines\r\n", "\u001b[2mdim\u001b[0m", "\r\u001b[K12 of 20", "\r\u001b[3A\u001b[Ja table\n"])(
  "keeps %j",
  (text) => expect(visibleControls(text)).toBe(text),
);
