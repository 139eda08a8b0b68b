/** Returns the fix for a reason that a server rejects something for. */
export function adviceFor(field: string, message: string): string {
  const found = advice.find(([place, words]) => place.test(field) && words.test(message));
  return found?.[2] ?? "change the type or its markers";
}

const names = "to at most 63 lower-case letters, digits and dashes, beginning with a letter";

/** Advice by field and message; the first match applies. */
const advice: readonly (readonly [place: RegExp, words: RegExp, advice: string])[] = [
  [
    /x-kubernetes-validations|^$/,
    /cost/,
    "simplify the rule, or limit the size of its input: +kubebuilder:validation:MaxItems, MaxProperties, MaxLength",
  ],
  [
    /x-kubernetes-validations/,
    /oldSelf cannot be used/,
    "add +listType=map to the list, or move the rule to the list's parent",
  ],
  [
    /^$/,
    /at the root of the schema if the status subresource/,
    "move the marker to the type of spec, or write a +kubebuilder:validation:XValidation rule",
  ],
  [/x-kubernetes-validations/, /failed to construct type/, "move the rule to a field whose type has a schema"],
  [/\.fieldPath$/, /./, "name a field of this type, such as .name or ['odd-name']"],
  [/x-kubernetes-validations/, /./, "correct the rule; see https://kubernetes.io/docs/reference/using-api/cel/"],
  [/\.items\.properties\[[^\]]*\]\.default$/, /list-map-keys/, "make the field required, or add +kubebuilder:default"],
  [/\.default\b/, /top-level metadata/, "remove the default: the server manages metadata"],
  [/\.default\b/, /./, "change the default, or the allowed values of the field"],
  [/pattern$/, /./, "use RE2 syntax, without look-around: https://github.com/google/re2/wiki/Syntax"],
  [/uniqueItems$/, /./, "remove the marker; for scalars, use +listType=set"],
  [/list-map-keys$/, /empty/, "add +listMapKey=<field>"],
  [/list-map-keys$/, /item properties/, "name a field of the elements"],
  [/list-map-keys$|list-type$/, /./, "write +listType=map with one +listMapKey for each key"],
  [
    /items\.x-kubernetes-map-type$/,
    /set/,
    "use +listType=map or atomic, or add +structType=atomic to the type of the elements",
  ],
  [/\.nullable$/, /nullable/, "remove `| null`"],
  [/embedded-resource|\.properties$/, /embedded-resource/, "add +kubebuilder:pruning:PreserveUnknownFields"],
  [/^spec\.group$/, /./, "write a domain with a dot: +groupName=cache.example.com"],
  [/^spec\.names\.plural$/, /./, `set path in +kubebuilder:resource ${names}`],
  [/^spec\.names\.singular$/, /./, `set singular in +kubebuilder:resource ${names}`],
  [/^spec\.names\.shortNames/, /./, `set shortName in +kubebuilder:resource ${names}`],
  [/^spec\.names\.categories/, /./, `set categories in +kubebuilder:resource ${names}`],
  [/^spec\.names\.(kind|listKind)$/, /./, "rename the type to at most 59 letters and digits"],
  [/^spec\.versions\[\d+\]\.name$/, /./, "name the folder v1alpha1, v1beta1 or v1, or set +versionName"],
  [/additionalPrinterColumns.*type$/, /./, "write type=integer, number, string, boolean or date"],
  [/additionalPrinterColumns.*format$/, /./, "remove format, or use one of these"],
  [/JSONPath$|Path$/, /must be a simple json path/, "begin the path with a dot"],
  [/Path$/, /should be a json path under/, "correct the path"],
  [/selectableFields/, /Too many/, "keep at most 8 +kubebuilder:selectablefield"],
  [/selectableFields/, /Duplicate/, "remove one of the two markers"],
  [/selectableFields/, /./, "name a string, integer or boolean field outside lists; fields of metadata need no marker"],
  [/deprecationWarning$/, /./, "write a short text on one line"],
  [
    /api-approved/,
    /./,
    'use your own domain, or set +kubebuilder:metadata:annotations="api-approved.kubernetes.io=<URL of the approval>"',
  ],
];
