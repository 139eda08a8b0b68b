export interface Spec {
  // +k8s:format=k8s-ip
  // +k8s:unique=map
  // +k8s:update=Never
  // +k8s:update=NoAddItem
  // +k8s:monotonic
  // +k8s:eachVal=+k8s:maxLength=3
  // +k8s:eachKey=+k8s:required
  a: string;
  // +k8s:ifEnabled(Gate)=+k8s:required
  // +k8s:ifMode("A")=+k8s:required
  // +k8s:minimun=1
  b: number;
  // +k8s:eachKey=+k8s:required
  c: Record<string, string>;
  // +k8s:dependentRequired("gone")
  d?: string;
}
