import { isObject } from "../../apimachinery/is-object.ts";
import { emitYaml } from "../../apimachinery/yaml/emit.ts";

/** A manifest, or a part of one, whose values may be template text. */
export type Manifest = Readonly<Record<string, unknown>>;

/** Template text in the place of a value, in the line of its key: `replicas: {{ .Values.manager.replicas }}`. */
export class Inline {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Template lines in the place of an item of a list, or of a member with its key. */
export class Block {
  readonly lines: (key: string | undefined) => readonly Line[];

  constructor(lines: Block["lines"]) {
    this.lines = lines;
  }
}

/** A line of template text, or a manifest, which is inserted at the same indentation. */
type Line = string | { readonly manifest: unknown };

/** Lines in place of an item or a member. `<here>` stands for the indentation of the line. */
export function lines(...text: readonly string[]): Block {
  return new Block(() => text);
}

/** An item or a member that exists only under a condition, with another value otherwise. */
export function when(condition: string, value: unknown, otherwise?: unknown): Block {
  return new Block((key) => {
    const line = (content: unknown): Line => ({ manifest: key === undefined ? [content] : { [key]: content } });
    const rest = otherwise === undefined ? [] : ["{{- else }}", line(otherwise)];
    return [`{{- if ${condition} }}`, line(value), ...rest, "{{- end }}"];
  });
}

/** A member that is a list or a mapping of the values. Helm writes an empty one as `[]` or `{}`. */
export function collection(path: string): Block {
  return new Block((key) => [`${key}:`, `  {{- toYaml .Values.${path} | nindent <inner> }}`]);
}

/** A member that is a text of the values, and absent if that is empty. */
export function optionalText(path: string): Block {
  return new Block((key) => [`{{- with .Values.${path} }}`, `${key}: {{ quote . }}`, "{{- end }}"]);
}

/** A member that is a list or a mapping of the values, and absent if that is empty. */
export function optional(path: string): Block {
  return new Block((key) => [
    `{{- with .Values.${path} }}`,
    `${key}:`,
    `  {{- toYaml . | nindent <inner> }}`,
    "{{- end }}",
  ]);
}

/** Items or members of the values, beside those of the manifest. */
export function members(expression: string): Block {
  return lines(`{{- with ${expression} }}`, `{{- toYaml . | nindent <here> }}`, "{{- end }}");
}

// Characters for private use, which `hasMarks` finds in manifests.
const [opening, closing] = ["\uE000", "\uE001"];
const marks = new RegExp(`[${opening}${closing}]`);
const embedded = new RegExp(`${opening}([^${closing}]*)${closing}`, "g");

/** Marks template text within a string of a manifest. */
export function embed(text: string): string {
  return opening + text + closing;
}

/** Reports whether a key or a text of a value has one of the characters that mark template text. */
export function hasMarks(value: unknown): boolean {
  return marks.test(JSON.stringify(value) ?? "");
}

/** Writes a manifest in which Helm fills in the slots. Braces of its own texts are escaped, so that Helm prints them. */
export function renderManifest(manifest: unknown): string {
  return `${renderLines(manifest, "").join("\n")}\n`;
}

/** Escapes braces, so that Helm prints them. */
export function escapeBraces(text: string): string {
  return text.replaceAll("{{", '{{ "{{" }}');
}

type Slot = Inline | Block;

function renderLines(manifest: unknown, indent: string): string[] {
  const slots: Slot[] = [];
  return escapeBraces(emitYaml(withTokens(manifest, slots)).trimEnd())
    .split("\n")
    .flatMap((line) => renderLine(line === "" ? line : indent + line, slots));
}

const token = new RegExp(`${opening}(\\d+)${closing}`, "g");
const blockLine = new RegExp(`^( *)(?:- |([^ ]+): )${opening}(\\d+)${closing}$`);

/** Replaces slots by marked numbers, which YAML needs no quotes for. */
function withTokens(value: unknown, slots: Slot[]): unknown {
  const add = (slot: Slot): string => `${opening}${slots.push(slot) - 1}${closing}`;
  if (value instanceof Inline || value instanceof Block) return add(value);
  if (typeof value === "string") return value.replace(embedded, (_whole, text: string) => add(new Inline(text)));
  if (Array.isArray(value)) return value.map((item) => withTokens(item, slots));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withTokens(member, slots)]));
}

function renderLine(line: string, slots: readonly Slot[]): string[] {
  const [, indent = "", key, number] = blockLine.exec(line) ?? [];
  const slot = slots[Number(number)];
  if (slot instanceof Block) {
    const [here, within] = [String(indent.length), String(indent.length + 2)];
    return slot
      .lines(key)
      .flatMap((one) =>
        typeof one === "string"
          ? indent + one.replace("<here>", here).replace("<inner>", within)
          : renderLines(one.manifest, indent),
      );
  }
  return [line.replace(token, (_whole, at: string) => textOf(slots[Number(at)], line))];
}

function textOf(slot: Slot | undefined, line: string): string {
  if (slot instanceof Inline) return slot.text;
  throw new Error(`helm: a block needs a line of its own: ${line}`);
}
