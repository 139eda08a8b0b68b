import type { Plan } from "../../../src/files/plan.ts";

/** A project with a change of each kind, and what becomes of it. */
export const before: Readonly<Record<string, string>> = {
  "/p/PROJECT": "old project\n",
  "/p/a/keep.ts": "mine\n",
  "/p/b/gone.ts": "bye\n",
  "/p/main.ts": "1\n",
};
export const plan: Plan = {
  root: "/p",
  changes: [
    { type: "update", path: "PROJECT", text: "new project\n", before: "old project\n" },
    { type: "update", path: "main.ts", text: "2\n", before: "1\n" },
    { type: "create", path: "x/y/new.ts", text: "new\n" },
    { type: "create", path: "x/run.sh", text: "#!/bin/sh\n", executable: true },
    { type: "create", path: "a/keep.ts", text: "yours\n", ifExists: "keep" },
    { type: "remove", path: "b/gone.ts", before: "bye\n" },
  ],
};
export const after: Readonly<Record<string, string>> = {
  "/p/PROJECT": "new project\n",
  "/p/a/keep.ts": "mine\n",
  "/p/main.ts": "2\n",
  "/p/x/y/new.ts": "new\n",
  "/p/x/run.sh": "#!/bin/sh\n",
};
