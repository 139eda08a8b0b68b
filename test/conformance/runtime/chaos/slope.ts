/** Returns the slope of the line that fits the points best; 0 for fewer than two. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const spread = points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
  return spread > 0 ? points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / spread : 0;
}
