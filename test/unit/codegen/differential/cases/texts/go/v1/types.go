// +groupName=docs.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// PageSpec has texts of all kinds: some with colons, # hashes and "quotes".
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
type PageSpec struct {
	// Text with a tab	inside.
	Tab string `json:"tab,omitempty"`
	// 'single' quotes first
	Single string `json:"single,omitempty"`
	// "double" quotes first
	Double string `json:"double,omitempty"`
	// yes
	Yes string `json:"yes,omitempty"`
	// 1.5
	Number string `json:"number,omitempty"`
	// 2024-01-15
	Date string `json:"date,omitempty"`
	// 12:30:45
	Clock string `json:"clock,omitempty"`
	// null
	Null string `json:"null,omitempty"`
	// - dash
	Dash string `json:"dash,omitempty"`
	// key: value
	Colon string `json:"colon,omitempty"`
	// ends with a colon:
	EndColon string `json:"endColon,omitempty"`
	// has a # inside
	Hash string `json:"hash,omitempty"`
	// * star
	Star string `json:"star,omitempty"`
	// @at sign
	At string `json:"at,omitempty"`
	// Ünïcödé and – dashes “quoted” and a smile 😀 in the middle of it
	Unicode string `json:"unicode,omitempty"`
	// A line of text that is long enough to be folded by the emitter, because it has far more than eighty characters in it, and then some.
	Long string `json:"long,omitempty"`
	// A line: with a colon that is long enough to be folded by the emitter, because it has far more than eighty characters in it's single quoted form.
	LongQuoted string `json:"longQuoted,omitempty"`
	// A line with an emoji 😀 that is long enough to be folded by the emitter, because it has far more than eighty characters in it, and   three blanks.
	LongEscaped string `json:"longEscaped,omitempty"`
	// averyveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryverylongword and more
	LongWord string `json:"longWord,omitempty"`
	//no blank
	NoBlank string `json:"noBlank,omitempty"`
	//   indented first line
	// second line
	Indented string `json:"indented,omitempty"`
	// first

	// not touching

	// touching
	Groups string `json:"groups,omitempty"`
	// +optional
	// text between markers
	// +kubebuilder:validation:MaxLength=5
	// more text
	Between string `json:"between,omitempty"`

	// +optional
	NoDoc string `json:"noDoc,omitempty"`
	Dash1 string `json:"with-dash,omitempty"`
	Dot   string `json:"with.dot,omitempty"`
	// +kubebuilder:default="a \"quoted\" text\nwith a line"
	Escaped string `json:"escaped,omitempty"`
	// +kubebuilder:validation:Pattern=`^\d+(\.\d{1,3})?$`
	Raw string `json:"raw,omitempty"`
	// +kubebuilder:validation:Pattern="^[^\"']*$"
	Quoted string `json:"quoted,omitempty"`
	// +kubebuilder:validation:Pattern=^[a-z]+$
	Bare string `json:"bare,omitempty"`
	// +kubebuilder:title=bare title
	Title string `json:"title,omitempty"`
	// +kubebuilder:externalDocs:url="https://example.com"
	External string `json:"external,omitempty"`
}

// Page is the Schema for the pages API.
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=pg,categories={all,docs}
// +kubebuilder:printcolumn:name="Yes",type="string",JSONPath=".spec.yes",format="date-time",description="a: b"
type Page struct {
	metav1.TypeMeta `json:",inline"`
	// +required
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec PageSpec `json:"spec"`
}
