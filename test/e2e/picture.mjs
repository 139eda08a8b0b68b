// Writes docs/demo.svg: the content of a terminal at the end of `npm run demo`, which runs in a pseudo-terminal.
// usage: node test/e2e/picture.mjs (needs script(1) of util-linux)
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const code = String.raw`\u001b\[(?:\d+)m`;
const colours = { 31: "#f47067", 32: "#57ab5a", 33: "#c69026", 36: "#39c5cf" };
const [lineHeight, charWidth, margin, columns] = [19, 8, 20, 112];

const { NO_COLOR: _, ...env } = process.env;
const command = ["-qec", "node test/e2e/demo.mjs", "/dev/null"];
const { status, stdout } = spawnSync("script", command, { cwd: repository, env, encoding: "utf8" });
if (status !== 0) throw new Error(`the demo ended with ${status}:\n${stdout}`);

const lines = stdout
  .replaceAll(repository, "../tsop/")
  .split("\n")
  .map((line) => line.replace(/\r$/, "").split("\r\u001b[K").at(-1))
  .flatMap(wrap);
while (lines.at(-1) === "") lines.pop();
while (lines[0] === "") lines.shift();
writeFileSync(`${repository}docs/demo.svg`, picture(lines));

/** Cuts a line at the edge of the picture, as a terminal does; escape codes have no width. */
function wrap(line) {
  let [text, width] = ["", 0];
  const cut = [];
  for (const [piece] of line.matchAll(new RegExp(`${code}|.`, "gu"))) {
    if (!piece.startsWith("\u001b") && ++width > columns) {
      cut.push(text);
      [text, width] = ["", 1];
    }
    text += piece;
  }
  return [...cut, text];
}

function picture(rows) {
  const [width, height] = [columns * charWidth + 2 * margin, rows.length * lineHeight + 2 * margin];
  const texts = rows.map((row, index) => {
    const y = margin + (index + 0.75) * lineHeight;
    return `<text x="${margin}" y="${y}" xml:space="preserve">${spans(row)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>npm run demo</title>
<rect width="100%" height="100%" rx="8" fill="#22272e"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#adbac7">
${texts.join("\n")}
</g>
</svg>
`;
}

function spans(row) {
  let style = "";
  return row
    .split(new RegExp(`(${code})`))
    .map((piece) => {
      if (!piece.startsWith("\u001b"))
        return piece && style ? `<tspan ${style}>${escape(piece)}</tspan>` : escape(piece);
      style = styleOf(piece.slice(2, -1));
      return "";
    })
    .join("");
}

function styleOf(number) {
  if (number === "1") return 'font-weight="bold" fill="#e6edf3"';
  if (number === "2") return 'opacity="0.65"';
  return colours[number] ? `fill="${colours[number]}"` : "";
}

function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
