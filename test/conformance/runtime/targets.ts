import { TestEnvironment } from "../../../src/testing/test-environment.ts";
import { startTimeoutMs } from "../../patience.ts";

const assets = process.env["KUBEBUILDER_ASSETS"];

/** The servers that a suite runs against: always the embedded one, and a real one if its programs are installed. */
export const targets: { readonly name: string; readonly make: () => TestEnvironment }[] = [
  { name: "the embedded server", make: () => new TestEnvironment({ env: {} }) },
  ...(assets
    ? [
        {
          name: "a real kube-apiserver",
          make: () => new TestEnvironment({ env: {}, binaryAssetsDirectory: assets, startTimeoutMs }),
        },
      ]
    : []),
];
