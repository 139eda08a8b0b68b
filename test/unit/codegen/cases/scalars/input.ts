import type { Bytes, Duration, Float, Int32, Int64, IntOrString, JSONValue, MicroTime, Quantity, RawExtension, EmbeddedObject, Time } from "tsop";
export interface Spec {
  text: string; whole: number; flag: boolean; one: true;
  int32: Int32; int64: Int64; float: Float; bytes: Bytes; quantity: Quantity; either: IntOrString; both: number | string;
  time: Time; micro: MicroTime; duration: Duration; json: JSONValue; raw: RawExtension; object: EmbeddedObject;
}
