import { beforeAll, describe, expect, it } from "vitest";
import { isApiError, type ApiError, type Status } from "../../../../src/apimachinery/status.ts";
import { decodeBody, type DecodedBody, loadYamlReader } from "../../../../src/apiserver/codec/decode-body.ts";

import { randomFrom } from "../random-from.ts";

beforeAll(() => loadYamlReader());

function decode(text: string, contentType: string | undefined = "application/json"): DecodedBody {
  return decodeBody(contentType, new TextEncoder().encode(text), { kind: "ConfigMap", findDuplicates: true });
}

function refusal(text: string, contentType?: string): Status {
  try {
    decode(text, contentType);
  } catch (error) {
    return (error as ApiError).status;
  }
  throw new Error(`accepted: ${text}`);
}

// Texts and codes are those of kube-apiserver 1.36.
describe("JSON bodies", () => {
  it.each([
    ["", "<empty>"],
    ["{", "{"],
    ['{"a"', '{"a"'],
    ['"abc', "22616263"],
    ["{a", "{a"],
    ["{'a':1}", "{'a':1}"],
    ['{"a":1,}', '{"a":1,}'],
    ['{"a" 1}', '{"a" 1}'],
    ['{"a":1]', '{"a":1]'],
    ['{"a":01}', '{"a":01}'],
    ["[1 2]", "5b3120325d"],
    ["[1,]", "5b312c5d"],
    ['{"a":+1}', '{"a":+1}'],
    ["\u{feff}{}", "efbbbf7b7d"],
    ['{"a":trux}', '{"a":trux}'],
    ['{"a":nul}', '{"a":nul}'],
    [String.raw`{"a":"\x"}`, String.raw`{"a":"\x"}`],
    [String.raw`{"\u12g4"`, String.raw`{"\u12g4"`],
    ['{"a":"\n"}', '{"a":"\n"}'],
    ['{"a":-}', '{"a":-}'],
    ['{"a":1.}', '{"a":1.}'],
    ['{"a":1ex}', '{"a":1ex}'],
    ["{} {}", "{} {}"],
  ])("that are %j are refused", (text, excerpt) => {
    const { message, ...status } = refusal(text);
    expect(status).toMatchObject({ status: "Failure", reason: "BadRequest", code: 400 });
    const start = "the object provided is unrecognized (must be of type ConfigMap): ";
    expect(message).toContain(`${start}couldn't get version/kind; json parse error: `);
    expect(message?.endsWith(` (${excerpt})`)).toBe(true);
  });

  it.each([
    ["apiVersion: v1", "invalid character 'a' looking for beginning of value"],
    ["", "unexpected end of JSON input"],
  ])("that are %j are refused in the words that kubectl prints", (text, problem) => {
    expect(refusal(text).message).toContain(`json parse error: ${problem} (`);
  });

  it.each([
    ['{"kind":true}', "json: cannot unmarshal bool into Go struct field .kind of type string", '{"kind":true}'],
    [
      '{"apiVersion":{},"metadata":{}}',
      "json: cannot unmarshal object into Go struct field .apiVersion of type string",
      '{"apiVersion":{},"metadata":{} ...',
    ],
    ["[]", "json: cannot unmarshal array into Go value of type map[string]interface {}", "5b5d"],
  ])("that have a wrong type, as in %j, are refused", (text, problem, excerpt) => {
    const cause = `couldn't get version/kind; json parse error: ${problem}`;
    expect(refusal(text)).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `the object provided is unrecognized (must be of type ConfigMap): ${cause} (${excerpt})`,
      reason: "BadRequest",
      code: 400,
    });
  });

  it.each([
    ["{", "}", '"a":'],
    ["[", "]", ""],
  ])("nested too deep with %s are refused", (open, close, key) => {
    const nested = (depth: number) => `{"a":${(open + key).repeat(depth)}1${close.repeat(depth)}}`;
    expect(decode(nested(999)).value).toBeTypeOf("object");
    expect(refusal(nested(1000)).message).toContain("exceeded max depth");
    expect(refusal(nested(100_000)).message).toContain("exceeded max depth");
    expect(refusal(nested(1_000_000))).toMatchObject({
      code: 413,
      message: expect.stringContaining("values, the limit"),
    });
  });

  it("keep a key called __proto__ as a field", () => {
    const { value } = decode('{"data":{"__proto__":"x"}}');
    expect(Object.keys(value["data"] as object)).toEqual(["__proto__"]);
  });
});

describe("duplicate keys", () => {
  it.each([
    ['{"data":{"x":"1","x":"2"},"metadata":{"name":"a","name":"b"}}', ["data.x", "metadata.name"]],
    ['{"spec":{"items":[{"a":"1"},{"a":"2","a":"3"}],"t":[[{"a":1,"a":2}]]}}', ["spec.items[1].a", "spec.t[0][0].a"]],
    ['{"a":1,"a":2,"a":3}', ["a"]],
    [String.raw`{"a":1,"\u0061":2}`, ["a"]],
    ['{"a.b":{"c":1,"c":1}}', ["a.b.c"]],
    ['{"a":{"x":1},"b":{"x":1}}', []],
  ])("of %s are found", (text, paths) => {
    expect(decode(text).duplicates).toEqual(paths.map((path) => `duplicate field "${path}"`));
  });

  it("are only searched for on request", () => {
    const body = new TextEncoder().encode('{"a":1,"a":2}');
    const decoded = decodeBody(undefined, body, { kind: "ConfigMap", findDuplicates: false });
    expect(decoded).toEqual({ value: { a: 2 }, duplicates: [] });
  });
});

describe("YAML bodies", () => {
  const yaml = "application/yaml";

  it("are read as YAML 1.1", () => {
    expect(decode("kind: ConfigMap\ndata: {mode: 0644, on: yes, text: 'yes', day: 2026-01-01}", yaml).value).toEqual({
      kind: "ConfigMap",
      data: { mode: 420, true: true, text: "yes", day: "2026-01-01" },
    });
  });

  it.each([
    ["a: [b", "yaml: line 2: unexpected end of the stream within a flow collection (613a205b62)"],
    ["a: *x", 'yaml: line 1: unidentified alias "x" (613a202a78)'],
    ["a: .inf", "json: unsupported value: Infinity (613a202e696e66)"],
    ["x", "cannot unmarshal string into Go value of type map"],
    ["kind: 7", "json: cannot unmarshal number into Go struct field .kind of type string (6b696e643a2037)"],
  ])("that are %j are refused", (text, problem) => {
    const { message, code } = refusal(text, yaml);
    expect(message).toContain("the object provided is unrecognized (must be of type ConfigMap): ");
    expect(message).toContain(problem);
    expect(code).toBe(400);
  });

  it("report a duplicate key", () => {
    const { value, duplicates } = decode("metadata: {name: a}\nmetadata: {name: b}\n", yaml);
    expect(value).toEqual({ metadata: { name: "b" } });
    expect(duplicates).toEqual(['line 2: key "metadata" already set in map']);
  });

  it("report the first duplicate key of a long text", () => {
    const keys = Array.from({ length: 10_000 }, (_, index) => `k${index}: 1`);
    expect(decode([...keys, ...keys].join("\n"), yaml).duplicates).toEqual(['line 10001: key "k0" already set in map']);
  });

  it("cannot exhaust memory or the stack", () => {
    const lines = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(10)}]`);
    expect(refusal(["a0: &a0 [x]", ...lines].join("\n"), yaml).message).toContain("excessive aliasing");
    expect(refusal(`a: ${"[".repeat(100_000)}`, yaml).code).toBe(400);
  });
});

it.each(["application/json", "application/yaml"])(
  "reads or refuses whatever %s holds, within a second",
  (contentType) => {
    const random = randomFrom(11);
    const pieces = [
      "{",
      "}",
      "[",
      "]",
      '"',
      ":",
      ",",
      "a",
      "- ",
      "\n",
      "  ",
      "\\u12",
      "1e9",
      "null",
      "&a ",
      "*a",
      "|",
      "é",
      "\0",
      "<<: ",
    ];
    const end = performance.now() + 1000;
    for (let round = 0; round < 2000 && performance.now() < end; round++) {
      const length = Math.floor(random() * 40);
      const text = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join("");
      expect(statusCodeOf(text, contentType)).toBe(200);
    }
  },
);

/** 200 for a body that is read or refused with 400; anything else is a crash and comes out as it is. */
function statusCodeOf(text: string, contentType: string): unknown {
  try {
    decode(text, contentType);
    return 200;
  } catch (error) {
    return isApiError(error) && error.code === 400 ? 200 : [text, error];
  }
}
