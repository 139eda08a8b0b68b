// +groupName=docs.example.com

import type { ObjectMeta } from "tsop";

// PageSpec has texts of all kinds: some with colons, # hashes and "quotes".
//
//
// Two blank lines above are one.
//
// TODO(someone): this line is dropped
// TODO: and this
// But this stays.
//
// ```
// TODO inside a fence stays
// ---
// ```
//
// - a list
//   - nested
//
// trailing blanks go
// ---
// everything from here on is dropped
export interface PageSpec {
  // Text with a tab	inside.
  tab?: string;
  // 'single' quotes first
  single?: string;
  // "double" quotes first
  double?: string;
  // yes
  yes?: string;
  // 1.5
  number?: string;
  // 2024-01-15
  date?: string;
  // 12:30:45
  clock?: string;
  // null
  null?: string;
  // - dash
  dash?: string;
  // key: value
  colon?: string;
  // ends with a colon:
  endColon?: string;
  // has a # inside
  hash?: string;
  // * star
  star?: string;
  // @at sign
  at?: string;
  // Ünïcödé and – dashes “quoted” and a smile 😀 in the middle of it
  unicode?: string;
  // A line of text that is long enough to be folded by the emitter, because it has far more than eighty characters in it, and then some.
  long?: string;
  // A line: with a colon that is long enough to be folded by the emitter, because it has far more than eighty characters in it's single quoted form.
  longQuoted?: string;
  // A line with an emoji 😀 that is long enough to be folded by the emitter, because it has far more than eighty characters in it, and   three blanks.
  longEscaped?: string;
  // averyveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryverylongword and more
  longWord?: string;
  //no blank
  noBlank?: string;
  //   indented first line
  // second line
  indented?: string;
  // first

  // not touching

  // touching
  groups?: string;
  // +optional
  // text between markers
  // +kubebuilder:validation:MaxLength=5
  // more text
  between?: string;

  // +optional
  noDoc?: string;
  "with-dash"?: string;
  "with.dot"?: string;
  // +kubebuilder:default="a \"quoted\" text\nwith a line"
  escaped?: string;
  // +kubebuilder:validation:Pattern=`^\d+(\.\d{1,3})?$`
  raw?: string;
  // +kubebuilder:validation:Pattern="^[^\"']*$"
  quoted?: string;
  // +kubebuilder:validation:Pattern=^[a-z]+$
  bare?: string;
  // +kubebuilder:title=bare title
  title?: string;
  // +kubebuilder:externalDocs:url="https://example.com"
  external?: string;
}

/**
 * Page is the Schema for the pages API.
 * +kubebuilder:object:root=true
 * +kubebuilder:resource:shortName=pg,categories={all,docs}
 * +kubebuilder:printcolumn:name="Yes",type="string",JSONPath=".spec.yes",format="date-time",description="a: b"
 */
export interface Page {
  /** +required */
  metadata: ObjectMeta;

  spec: PageSpec;
}
