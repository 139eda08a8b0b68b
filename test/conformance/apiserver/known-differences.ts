/** Steps in which the embedded server differs from the real one, and why. The list may only shrink. */
export interface KnownDifference {
  readonly scenario: string;
  /** Positions of the recorded answers. */
  readonly answers: readonly number[];
  readonly reason: string;
}

export const knownDifferences: readonly KnownDifference[] = [
  { scenario: "apply", answers: [16], reason: "another YAML parser tells what is wrong with a text in other words" },
  {
    scenario: "pod",
    answers: [4],
    reason: "no diff of Go structs in the text about a changed spec",
  },
  {
    scenario: "configuration",
    answers: [11],
    reason: "no diff of Go structs in the text",
  },
  { scenario: "job", answers: [2], reason: "Go prints the template with the field names of its internal types" },
];

/** A class of texts in which the embedded server differs from the real one, and why. They are not compared. */
export interface KnownWords {
  /** Names of the fields with these texts; all fields by default. */
  readonly field?: RegExp;
  readonly pattern: RegExp;
  readonly reason: string;
}

export const knownWords: readonly KnownWords[] = [
  {
    pattern: new RegExp(
      [
        /json: cannot unmarshal \w+( [-+.e\d]+)? into Go (struct field \w[\w.]* of type [\w.[\]]+|value of type v1\.ObjectMeta)/,
        /(error decoding from json: )?illegal base64 data at input byte \d+/,
        /quantities must match the regular expression '[^ ]+'/,
        /parsing time ("|\\").*/,
      ]
        .map(({ source }) => source)
        .join("|"),
      "g",
    ),
    reason:
      "a value of a wrong type is refused in one form for text; a real server has a form for each of its decoders",
  },
  {
    pattern: /Invalid value: (\{"ID":.*\}: )?only \[/g,
    reason: "a real server prints the whole schema with the field names of its internal type",
  },
  {
    field: /^autoscaling\.alpha\.kubernetes\.io\//,
    pattern: /.+/,
    reason: "annotations of autoscaling/v1 hold plain v2 JSON; a real server has a form for this use alone",
  },
];
