// +groupName=shapes.example.com
import type { Int32, ObjectMeta } from "tsop";

/** Color is a color. */
export enum Color {
  Red = "red",
  Green = "green",
  Blue = "blue",
}

const enum Level {
  Low = 1,
  Middle,
  High = 5,
}

/** Ref is generic. */
interface Ref<Kind extends string> {
  /** name of the object */
  name: string;
  kind: Kind;
  key?: string;
}

/** SecretRef points to a Secret. */
type SecretRef = Ref<"Secret">;

/** ConfigRef points to a ConfigMap. */
interface ConfigRef extends Ref<"ConfigMap" | "Secret"> {}

interface Box {
  width: Int32;
  height: Int32;
  /** depth is optional */
  depth?: Int32;
}

const modes = ["fast", "slow"] as const;

interface ShapeSpec {
  color: Color;
  colors?: readonly Color[];
  level: Level;
  secret: SecretRef;
  config: ConfigRef;
  flat: Omit<Box, "depth">;
  loose: Partial<Box>;
  full: Required<Box>;
  ends: Record<"start" | "end", Pick<Box, "width" | "height">>;
  both: Box & { label: string };
  side: keyof Box;
  mode: (typeof modes)[number];
  warm: Exclude<"red" | "green" | "blue", "blue">;
  pair: [Int32, Int32];
  map: { [key: string]: Color };
  maybe: Box | null;
  deep: Record<string, Record<string, { [K in "width" | "height"]: Int32 }>[]>;
}

/** +kubebuilder:object:root=true */
export interface Shape {
  metadata: ObjectMeta;
  spec: ShapeSpec;
}
