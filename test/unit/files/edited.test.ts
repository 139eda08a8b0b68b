import { describe, expect, it } from "vitest";
import { isEdited, sealOf, sealText } from "../../../src/files/edited.ts";

const code = sealText("// Written by tsop.\nexport interface Size { width: number }\n");
const yaml = sealText("# Values.\nsize: 1\n", (content) => `# ${content}`);

describe("sealText and isEdited", () => {
  it.each([
    ["TypeScript as written", code, false],
    ["TypeScript in another layout", code.replace("{ width", "{\n  width"), false],
    ["TypeScript with another name", code.replace("width", "height"), true],
    ["TypeScript with CRLF", code.replaceAll("\n", "\r\n"), false],
    ["YAML as written", yaml, false],
    ["YAML with CRLF", yaml.replaceAll("\n", "\r\n"), false],
    ["YAML with CRLF and another value", yaml.replaceAll("\n", "\r\n").replace("1\r", "2\r"), true],
    ["YAML with another indentation", yaml.replace("size", "  size"), true],
    ["YAML with quotes", yaml.replace("1\n", '"1"\n'), true],
    ["a file without a checksum", "size: 1\n", true],
  ])("%s", (_title, text, edited) => {
    expect(isEdited(text)).toBe(edited);
  });

  it("keeps the checksum of the text that was written when the file is edited", () => {
    expect(sealOf(yaml.replace("1\n", "2\n"))).toBe(sealOf(yaml));
    expect(sealOf(sealText("# Values.\nsize: 2\n", (content) => `# ${content}`))).not.toBe(sealOf(yaml));
  });
});
