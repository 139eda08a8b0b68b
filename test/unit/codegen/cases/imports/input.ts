import type { Named, Renamed as Other } from "./other.ts";
import { type Deep } from "./barrel.js";
import type * as all from "./other";
import type Fallback from "./other.ts";
export interface Spec { named: Named; other: Other; deep: Deep; all: all.Named; fallback: Fallback; inline: import("./other.ts").Named }
