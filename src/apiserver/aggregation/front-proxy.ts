import {
  createAuthority,
  issueClientCertificate,
  type Certificate,
} from "../../apimachinery/certificates/issue-certificates.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { storageKey, type Store } from "../storage/store.ts";

/** The name in the certificate with which the server passes requests on. */
const clientName = "front-proxy-client";

/** The identity of the server towards extension servers, which name the user of a request by its headers. */
export class FrontProxy {
  private readonly authority: Certificate;
  private readonly now: number;
  private issued: Certificate | undefined;

  constructor(now: number) {
    this.authority = createAuthority(now);
    this.now = now;
  }

  /** The client certificate, issued when it is first used. */
  get certificate(): Certificate {
    return (this.issued ??= issueClientCertificate(this.authority, clientName, this.now));
  }

  /** Publishes whom extension servers may trust, in the ConfigMap from which they read it on any cluster. */
  publish(store: Store, { uid, now }: { readonly uid: () => string; readonly now: string }): void {
    const [namespace, name] = ["kube-system", "extension-apiserver-authentication"];
    const collection = store.collection({ group: "", plural: "configmaps" });
    const key = storageKey(namespace, name);
    const previous = collection.get(key);
    const data = {
      "requestheader-allowed-names": JSON.stringify([clientName]),
      "requestheader-client-ca-file": this.authority.cert,
      "requestheader-extra-headers-prefix": JSON.stringify(["X-Remote-Extra-"]),
      "requestheader-group-headers": JSON.stringify(["X-Remote-Group"]),
      "requestheader-uid-headers": JSON.stringify(["X-Remote-Uid"]),
      "requestheader-username-headers": JSON.stringify(["X-Remote-User"]),
    };
    if (equalJson(previous?.["data"], data)) return;
    const metadata = previous?.metadata ?? { name, namespace, uid: uid(), creationTimestamp: now };
    const object: UnstructuredObject = { apiVersion: "v1", kind: "ConfigMap", metadata, data };
    store.commit(collection, key, { previous, object });
  }
}
