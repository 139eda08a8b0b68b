import { expect, it } from "vitest";
import { kubeconfigCommand } from "../../../src/sandbox/disk/write-kubeconfig.ts";
import { onWindows } from "../../on-windows.ts";

it("quotes the file for the shell of the system", async () => {
  expect(kubeconfigCommand(".tsop/kubeconfig")).toBe("export KUBECONFIG=.tsop/kubeconfig");
  expect(kubeconfigCommand("/a b/it's")).toBe("export KUBECONFIG='/a b/it'\\''s'");
  expect(await onWindows(() => kubeconfigCommand("C:\\a b\\it's"))).toBe("$env:KUBECONFIG = 'C:\\a b\\it''s'");
});
