/**
 * Spec's first line.
 *
 *
 * Second paragraph,
 *   indented.   
 * TODO: dropped
 * @see tags end it
 */
export interface Spec {
  /** One line. */
  a: string;
  // Line comments,
  // two of them.
  b: string;

  // far away

  // near
  c: string;
  /**
   * ```
   * TODO stays in code
   * ---
   * ```
   * ---
   * dropped
   */
  d: string;
  /** doc of field */
  e: Named;
  f: Named;
  g: Named[];
}
/** doc of Named */
interface Named { x: string }
