import { expect, it } from "vitest";
import { operatorArguments } from "../../../../src/local/operator/operator-arguments.ts";

const main = "const flags = parseManagerFlags(process.argv.slice(2));";
const [json, time, health] = [
  "--zap-encoder=json",
  "--zap-time-encoding=rfc3339nano",
  "--health-probe-bind-address=127.0.0.1:0",
];

it.each<[string, string, string[], string[]]>([
  ["adds its own", main, [], [json, time, health]],
  ["puts the user's last", main, ["--leader-elect"], [json, time, health, "--leader-elect"]],
  ["lets the user's win", main, ["--zap-encoder=console"], [time, health, "--zap-encoder=console"]],
  [
    "in every spelling",
    main,
    ["-health-probe-bind-address", ":8081"],
    [json, time, "-health-probe-bind-address", ":8081"],
  ],
  ["leaves a program without such flags alone", "startMyOperator();", ["--x"], ["--x"]],
])("%s", (_, text, given, expected) => {
  expect(operatorArguments(text, given)).toEqual(expected);
});

it("gives a replica its place in the ring, or in the election", () => {
  const replica = (ring: string | undefined) => operatorArguments(main, [], { replica: { name: "demo-1", ring } });
  const common = [json, time, health, "--leader-elect=true"];
  expect(replica(undefined)).toEqual(common);
  expect(replica("ring")).toEqual([...common, "--sharding-ring=ring", "--sharding-shard=demo-1"]);
});
