import { median, ratioOf } from "./statistics.mjs";

/**
 * Prints the median time of each command in ms, and how many times that of the first one it is, with the interval of this
 * ratio. `times` are lists of a time a round, by the names of the commands.
 */
export function printTimes(title, times) {
  const [[first, base]] = times;
  printRow(title, "median", `× ${first}`, "95 % interval");
  for (const [name, list] of times) {
    const { ratio, low, high } = ratioOf(list, base);
    printRow(name, `${median(list).toFixed(0)} ms`, ratio.toFixed(2), `${low.toFixed(2)} to ${high.toFixed(2)}`);
  }
}

function printRow(name, ...cells) {
  console.log(name.padEnd(44) + cells.map((cell) => cell.padStart(16)).join(""));
}
