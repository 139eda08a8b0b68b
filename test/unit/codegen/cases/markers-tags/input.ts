import type { Int32 } from "tsop";
/** +k8s:format=k8s-short-name */
type Name = string;
interface Source {
  // +k8s:unionDiscriminator
  type: "Git" | "Image" | "None" | "OCI";
  // +k8s:unionMember
  git?: string;
  // +k8s:beta(since: "1.37")=+k8s:unionMember
  image?: string;
  // +k8s:unionMember(memberName: "OCI")
  oci?: string;
}
interface Choice {
  // +k8s:unionMember
  a?: string;
  // +k8s:unionMember
  b?: string;
  // +k8s:zeroOrOneOfMember(union: "other")
  c?: string;
  // +k8s:zeroOrOneOfMember(union: "other")
  d?: string;
}
export interface Spec {
  // +k8s:minimum=1
  // +k8s:maximum=10 # as in the hardware
  // +k8s:neq=5
  size: Int32;
  // +k8s:minLength=1
  // +k8s:maxLength=5
  // +k8s:neq="x"
  // +k8s:neq="y"
  text: string;
  // +k8s:maxBytes=20
  bytes: string;
  // +k8s:beta(since: "1.37")=+k8s:maxItems=3# "three"
  // +k8s:minItems=1
  // +k8s:eachVal=+k8s:format=k8s-label-key
  // +k8s:unique=set
  list: string[];
  // +k8s:minProperties=1
  // +k8s:maxProperties=4
  // +k8s:eachKey=+k8s:format=k8s-short-name
  // +k8s:eachVal=+k8s:maxLength=9
  map: Record<string, string>;
  // +k8s:eachKey=+k8s:maxLength=9
  // +k8s:maxProperties=4
  keys: Record<string, string>;
  name: Name;
  // +k8s:format=k8s-long-name
  longName: string;
  // +k8s:format="k8s-uuid"
  uuid: string;
  // +k8s:format=k8s-path-segment-name
  segment: string;
  // +k8s:alpha(since:"1.37")=+k8s:optional
  maybe?: string;
  // +k8s:monotonic
  counter: number;
  // +k8s:update=NoSet
  // +k8s:update=NoUnset
  // +k8s:update=NoModify
  fixed?: string;
  // +k8s:update=NoAddItem
  // +k8s:update=NoRemoveItem
  // +k8s:maxItems=5
  items?: Name[];
  // +k8s:dependentRequired("mode")
  // +k8s:dependentForbidden("raw")
  level?: number;
  mode?: string;
  raw?: string;
  source: Source;
  choice: Choice;
}
