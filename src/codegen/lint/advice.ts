/** Returns the fix for a reason that a server rejects something for. */
export function adviceFor(field: string, message: string): string {
  const found = advice.find(([place, words]) => place.test(field) && words.test(message));
  return found?.[2] ?? "change the type or its markers";
}

const names = "to lower-case letters, digits and dashes, at most 63, with a letter first";

/** Advice by field and message; the first match applies. */
const advice: readonly (readonly [place: RegExp, words: RegExp, advice: string])[] = [
  [
    /x-kubernetes-validations|^$/,
    /cost/,
    "simplify the rule, or limit what it looks at: +kubebuilder:validation:MaxItems, MaxProperties, MaxLength",
  ],
  [
    /x-kubernetes-validations/,
    /oldSelf cannot be used/,
    "give the list +listType=map, or write the rule on the list's owner",
  ],
  [/x-kubernetes-validations/, /failed to construct type/, "write the rule on a field whose type has a schema"],
  [/\.fieldPath$/, /./, "name a field of this type, such as .name or ['odd-name']"],
  [
    /x-kubernetes-validations/,
    /./,
    "correct the rule: https://kubernetes.io/docs/reference/using-api/cel/ says what it may use",
  ],
  [
    /\.items\.properties\[[^\]]*\]\.default$/,
    /list-map-keys/,
    "make the field required, or give it +kubebuilder:default",
  ],
  [/\.default\b/, /top-level metadata/, "remove the default: metadata is the server's business"],
  [/\.default\b/, /./, "change the default, or what the field allows"],
  [/pattern$/, /./, "write it in RE2's syntax, without look-around: https://github.com/google/re2/wiki/Syntax"],
  [/uniqueItems$/, /./, "remove the marker; +listType=set says the same of scalars"],
  [/list-map-keys$/, /empty/, "add +listMapKey=<field>"],
  [/list-map-keys$/, /item properties/, "name a field of the elements"],
  [/list-map-keys$|list-type$/, /./, "write +listType=map with one +listMapKey for each key"],
  [
    /items\.x-kubernetes-map-type$/,
    /set/,
    "use +listType=map or atomic, or put +structType=atomic on the elements' type",
  ],
  [/\.nullable$/, /nullable/, "remove `| null`"],
  [/embedded-resource|\.properties$/, /embedded-resource/, "add +kubebuilder:pruning:PreserveUnknownFields"],
  [/^spec\.group$/, /./, "write a domain with a dot: +groupName=cache.example.com"],
  [/^spec\.names\.plural$/, /./, `set path in +kubebuilder:resource ${names}`],
  [/^spec\.names\.singular$/, /./, `set singular in +kubebuilder:resource ${names}`],
  [/^spec\.names\.shortNames/, /./, `set shortName in +kubebuilder:resource ${names}`],
  [/^spec\.names\.categories/, /./, `set categories in +kubebuilder:resource ${names}`],
  [/^spec\.names\.(kind|listKind)$/, /./, "rename the type: letters and digits only, at most 59"],
  [/^spec\.versions\[\d+\]\.name$/, /./, "name the folder v1alpha1, v1beta1 or v1, or set +versionName"],
  [/additionalPrinterColumns.*type$/, /./, "write type=integer, number, string, boolean or date"],
  [/additionalPrinterColumns.*format$/, /./, "remove format, or write one of those"],
  [/JSONPath$|Path$/, /must be a simple json path/, "start it with a dot"],
  [/Path$/, /should be a json path under/, "correct the path"],
  [/selectableFields/, /Too many/, "keep at most 8 +kubebuilder:selectablefield"],
  [/selectableFields/, /Duplicate/, "remove one of the two markers"],
  [/selectableFields/, /./, "name a text, integer or boolean field outside of lists; those of metadata need no marker"],
  [/deprecationWarning$/, /./, "write a short text of one line"],
  [
    /api-approved/,
    /./,
    'use a domain of your own, or set +kubebuilder:metadata:annotations="api-approved.kubernetes.io=<URL of the approval>"',
  ],
];
