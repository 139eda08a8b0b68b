import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readDockerfile } from "../../../src/image/read-dockerfile.ts";

const stages = (...last: string[]): string => ["FROM a AS b", "WORKDIR /w", "FROM c", ...last].join("\n");

it("reads the Dockerfile of a project", () => {
  const text = readFileSync(new URL("../../../examples/memcached-operator/Dockerfile", import.meta.url), "utf8");
  expect(readDockerfile(text, "Dockerfile")).toEqual({
    base: expect.stringMatching(/^gcr\.io\/distroless\/nodejs\d+-debian13:nonroot$/),
    config: {
      WorkingDir: "/app",
      User: "65532:65532",
      Entrypoint: ["/nodejs/bin/node", "--enable-source-maps", "--max-old-space-size-percentage=75", "/app/main.mjs"],
    },
    from: "bin",
    to: "app",
  });
});

it("reads instructions in lines that go on, and folders relative to others", () => {
  const text = stages(
    "WORKDIR /a",
    "WORKDIR b",
    "COPY --from=b /w/dist/out ./c",
    "env A=1 \\",
    "# a comment in between",
    '  B="two words" C=',
    'LABEL com.example.name="a \\"quoted\\" name" x=y=z',
    'CMD ["--leader-elect"]',
  );
  expect(readDockerfile(text, "Dockerfile")).toEqual({
    base: "c",
    config: {
      WorkingDir: "/a/b",
      Env: ["A=1", "B=two words", "C="],
      Labels: { "com.example.name": 'a "quoted" name', x: "y=z" },
      Cmd: ["--leader-elect"],
    },
    from: "dist/out",
    to: "a/b/c",
  });
});

it.each([
  ["no stage", "# nothing", "it has no FROM"],
  ["a command", stages("COPY --from=b w/bin .", "RUN apt-get update"), "line 5: RUN apt-get update"],
  ["a shell", stages("COPY --from=b w/bin .", "ENTRYPOINT node main.mjs"), "line 5: ENTRYPOINT node main.mjs"],
  ["files of the context", stages("COPY assets ."), "line 4: COPY assets ."],
  ["a stage that does not exist", stages("COPY --from=d bin ."), "line 4: COPY --from=d bin ."],
  ["a bundle outside of the project", stages("COPY --from=b w/../bin ."), "line 4: COPY --from=b w/../bin ."],
  ["no bundle", stages("USER 1"), "must have one COPY"],
  ["two bundles", stages("COPY --from=b w/bin .", "COPY --from=b /w/other ."), "must have one COPY"],
  ["a base in a variable", "FROM a AS b\nFROM $BASE\nCOPY --from=b w/bin .", "$BASE depends on a variable"],
  ["a variable in a value", stages("ENV A=$B"), "line 4: ENV A=$B"],
])("refuses %s", (_, text, reason) => {
  expect(() => readDockerfile(text, "Dockerfile")).toThrow(reason);
});
