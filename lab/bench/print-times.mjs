import { median, ratioOf } from "./statistics.mjs";

/**
 * Prints the median time of each command in ms and its ratio to the first command, with the interval of the ratio.
 * `times` maps the name of a command to the times of its rounds.
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
