import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { realDisk } from "../../../src/files/real-disk.ts";
import { makeBundleImage } from "../../../src/olm/registry/bundle-image.ts";
import { pushImage } from "../../../src/oci/image/push-image.ts";
import { connectRegistry } from "../../../src/oci/registry/connect-registry.ts";
import { selfSigned, startRegistry } from "../../unit/oci/start-registry.ts";

/**
 * Starts a registry in place of quay.io, with an index image that has only the label of file-based catalogs: operator-sdk
 * reads no more of it. Returns the variables by which a program of Go finds it.
 */
export async function startQuay(
  folder: string,
): Promise<{ env: Readonly<Record<string, string>>; stop: () => Promise<void> }> {
  const tls = selfSigned("quay.io");
  const caFile = join(folder, "quay.pem");
  writeFileSync(caFile, tls.certificate);
  const registry = await startRegistry({ tls });
  const client = await connectRegistry({ env: { HOME: folder }, caFile, disk: realDisk() });
  const labels = { "operators.operatorframework.io.index.configs.v1": "/configs" };
  const copies = [{ from: "configs/", to: "configs/", instruction: "COPY configs" }];
  const image = makeBundleImage(new Map([["configs/.indexignore", ""]]), { labels, copies }, new Date(0));
  await pushImage(`${registry.host}/operator-framework/opm:latest`, image, client);
  const sockets = new Set<Socket>();
  const proxy = createServer().on("connect", (request, socket: Socket) => {
    if (request.url !== "quay.io:443") return void socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    const target = connect(Number(registry.host.split(":")[1]), "127.0.0.1");
    const close = (): void => void (socket.destroy(), target.destroy());
    for (const each of [socket, target]) sockets.add(each.on("error", close).on("close", close));
    target.once("connect", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(target).pipe(socket);
    });
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const { port } = proxy.address() as AddressInfo;
  return {
    env: { HTTPS_PROXY: `http://127.0.0.1:${port}`, SSL_CERT_FILE: caFile },
    async stop() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await registry.stop();
    },
  };
}
