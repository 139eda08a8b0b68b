/** +tsop:schema={"oneOf":[{"required":["file"]},{"required":["url"]}]} */
export interface Spec {
  file?: string;
  url?: string;
  // +tsop:schema={"not":{"enum":["none"]},"additionalProperties":true}
  labels?: {};
}
