/** Named is named. */
export interface Named { n: string }
interface Local { l: number }
export { Local as Renamed };
export default interface Fallback { f: boolean }
